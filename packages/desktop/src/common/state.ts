import type { AuthConfig, Me } from '@countersign/contract';

/** A server that this person works with. */
export interface ServerProfile {
  readonly serverId: string;
  /** Without a slash at the end. */
  readonly url: string;
  readonly name: string;
}

/** Why nobody is signed in. `ended`: the session did by itself. */
export type SignedOutReason = 'never' | 'signed_out' | 'ended';

/** A failure in words that carry no secret. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** How the sign-in works that a server offers; never its tokens. */
export type SignInOffer = Pick<AuthConfig, 'mode' | 'issuer' | 'clientId'> & { readonly developmentToken: boolean };

export type SessionState =
  | { readonly kind: 'none' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'unreachable'; readonly failure: Failure }
  | {
      readonly kind: 'signed-out';
      readonly reason: SignedOutReason;
      readonly offer: SignInOffer;
      readonly failure: Failure | null;
    }
  | { readonly kind: 'signing-in'; readonly offer: SignInOffer }
  | { readonly kind: 'signed-in'; readonly me: Me; readonly kept: boolean }
  /** Signed in, and the server does not answer: what was known can be read. `asOf` in ms since the epoch. */
  | { readonly kind: 'offline'; readonly me: Me; readonly asOf: number }
  | { readonly kind: 'no-role' };

/** `polling`: the change feed is broken; what is shown has to be asked for again and again. */
export type FeedStatus = 'off' | 'connecting' | 'live' | 'polling';

/** All that the window has to know of what the main process does. */
export interface DesktopState {
  readonly servers: readonly ServerProfile[];
  readonly activeServerId: string | null;
  readonly session: SessionState;
  readonly feed: FeedStatus;
  /** Whether development tokens are taken: not in a packaged application. */
  readonly development: boolean;
  readonly version: string;
}
