/** Why somebody who came back from the provider is not signed in, in a sentence; null if nothing is known to be wrong. */
export function describeProviderProblem(problem: string | undefined, provider: string): string | null {
  switch (problem) {
    case undefined:
      return null;
    case "expired":
      return "That took too long, or was begun in another window. Try again.";
    case "refused":
      return `${provider} did not sign you in, or you cancelled it.`;
    case "unreachable":
      return `${provider} does not respond. Try again in a moment.`;
    case "unverified_email":
      return `${provider} has not verified your email address, so it is not known who you are here. If you have an account here, sign in with your password and link ${provider} in the settings of your account.`;
    case "not_linked":
      return `There is an account with your email address here, which is not linked to ${provider}. Sign in with its password and link ${provider} in the settings of your account.`;
    case "sign_up_closed":
      return "There is no account with your email address here, and this server takes no new ones.";
    case "linked_elsewhere":
      return `Either this account at ${provider} is linked to somebody else here, or your account here to another one there.`;
    case "too_many":
      return "Too many attempts. Wait a minute, then try again.";
    case "server":
      return "Something went wrong on the server. Try again in a moment.";
    default:
      return `What ${provider} responded could not be verified. Try again; if it happens again, ask whoever runs this server.`;
  }
}
