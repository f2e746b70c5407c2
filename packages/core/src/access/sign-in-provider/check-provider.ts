import type { SignInProvider } from "./sign-in-provider.ts";

/** Asks the provider for its configuration, as before a sign-in. Throws {@link ProviderError}, whose cause says why. */
export async function checkSignInProvider(provider: SignInProvider): Promise<void> {
  const { discover } = await import("./provider-client.ts");
  await discover(provider);
}
