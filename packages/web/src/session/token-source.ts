/** Where tokens come from: the development endpoint, or an OIDC issuer. */
export interface TokenSource {
  /**
   * Returns the valid token, renewed if possible; `undefined`: sign in again.
   *
   * @param refused a token that the server refuses: another one, if there can be one
   */
  token(refused?: string): Promise<string | undefined>;
  /** Whether there was a token here that is no longer valid. */
  hasEnded(): Promise<boolean>;
  /** Forgets the token that this window has. */
  forget(): Promise<void>;
  /** Signs out, at the issuer too; may leave the page. */
  signOut(): Promise<void>;
}
