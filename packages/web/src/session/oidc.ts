/** Everything that only a sign-in at an issuer needs. It is loaded before the sign-in page is displayed, so that a click never waits for it. */
export { createUserManager } from './create-user-manager.js';
export { IssuerSignIn } from './issuer-sign-in.js';
export { createOidcTokenSource } from './oidc-token-source.js';
