/** Source of tokens: the development endpoint or an OIDC issuer. */
export interface TokenSource {
  /**
   * Returns the valid token, renewed if possible; `undefined` if the user must sign in again.
   *
   * @param refusedToken token that the server refuses; another one is returned if possible
   */
  getToken(refusedToken?: string): Promise<string | undefined>;
  /** Returns whether a token existed here and is no longer valid. */
  hasEnded(): Promise<boolean>;
  /** Removes the token of this window. */
  forget(): Promise<void>;
  /** Signs out, also at the issuer; may leave the page. */
  signOut(): Promise<void>;
}
