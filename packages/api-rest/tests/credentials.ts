/** The first user of every server under test, and the API token that authenticates them. */
export const ADMIN = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };
export const API_TOKEN = "a-token-of-the-tests-0123456789";
