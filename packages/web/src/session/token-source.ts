/** Where tokens come from: the development endpoint, or an OIDC issuer. */
export interface TokenSource {
  /** The token that is valid now, renewed where that can be; `undefined`: sign in again. */
  token(): Promise<string | undefined>;
  /** Whether there was a token here that is no longer valid. */
  hasEnded(): Promise<boolean>;
  /** Forgets the token that this window has. */
  forget(): Promise<void>;
  /** Signs out, at the issuer too; may leave the page. */
  signOut(): Promise<void>;
}
