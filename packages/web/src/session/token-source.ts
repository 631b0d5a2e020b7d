/** Where tokens come from: the development endpoint, or an OIDC issuer. */
export interface TokenSource {
  /** The token that is valid now, renewed where that can be; `undefined`: sign in again. */
  token(): Promise<string | undefined>;
  signOut(): Promise<void>;
}
