/** Source of tokens: the development endpoint or an OIDC issuer. */
export interface TokenSource {
  /**
   * Returns the valid token, renewed if possible; `undefined` if the user must sign in again.
   *
   * @param refusedToken token that the server refuses; another one is returned if possible
   */
  getToken(refusedToken?: string): Promise<string | undefined>;
  /** Returns whether a sign-in is stored here. If `getToken` returns no token, this sign-in has ended. */
  hasStoredSignIn(): Promise<boolean>;
  /** Removes the token of this window. */
  forget(): Promise<void>;
  /** Signs out, also at the issuer; may leave the page. */
  signOut(): Promise<void>;
}
