import type { AuthConfig, Me } from '@countersign/contract';

/** A server that the user has added. */
export interface ServerProfile {
  readonly serverId: string;
  /** Without a trailing slash. */
  readonly url: string;
  readonly name: string;
}

/** Reason why no user is signed in. `ended`: the session expired. */
export type SignedOutReason = 'never' | 'signed_out' | 'ended';

/** Description of a failure, without secrets. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** Sign-in methods of a server; never its tokens. */
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
  /** Signed in, but the server does not respond: cached data can be read. `asOf` in ms since the epoch. */
  | { readonly kind: 'offline'; readonly me: Me; readonly asOf: number }
  | { readonly kind: 'no-role' };

/** `polling`: the change feed is broken; displayed data must be polled. */
export type FeedStatus = 'off' | 'connecting' | 'live' | 'polling';

/** State of the main process for the window. */
export interface DesktopState {
  readonly servers: readonly ServerProfile[];
  readonly activeServerId: string | null;
  readonly session: SessionState;
  readonly feed: FeedStatus;
  /** Whether development tokens are accepted; a packaged application never accepts them. */
  readonly development: boolean;
  readonly version: string;
}
