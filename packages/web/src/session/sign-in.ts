import { BASE_PATH, BASE_URL } from '@countersign/inbox-ui/app/base-url';
import type { UserManager } from 'oidc-client-ts';
import { ErrorResponse, ErrorTimeout, OidcClient } from 'oidc-client-ts';
import { texts } from '../texts/index.js';
import { readTabSignIn, startTabSignIn } from './tab-sign-in.js';

/** In the state that goes to the issuer and back: another window waits for the sign-in. */
const BESIDE = 'beside';

const CHANNEL = `countersign:sign-in:${BASE_PATH}`;

type TabMessage =
  { readonly kind: 'arrived'; readonly address: string } | { readonly kind: 'taken'; readonly state: string };

/** Goes to the issuer; comes back to where the person was. */
export function beginSignIn(manager: UserManager): Promise<void> {
  return manager.signinRedirect({ state: { returnTo: window.location.href } });
}

/**
 * Signs in in a window beside this one, which keeps all that was typed here. The issuer's page and this one can't reach each
 * other (`Cross-Origin-Opener-Policy`); the page that the issuer sends that window back to hands its address to this one,
 * which alone has what the code can be used with (RFC 7636).
 *
 * @returns `false` where the browser opens no window.
 */
export async function signInInPopup(manager: UserManager, signal: AbortSignal): Promise<boolean> {
  // Opened before anything is waited for: browsers allow it only as an answer to a click.
  const beside = window.open('about:blank', '_blank', 'popup,width=520,height=720');
  if (beside === null) return false;
  const request = await new OidcClient(manager.settings)
    .createSigninRequest({ state: {}, url_state: BESIDE })
    .catch((error: unknown) => {
      // Nothing will ever be shown in it.
      beside.close();
      throw error;
    });
  const state = request.state.id;
  const channel = new BroadcastChannel(CHANNEL);
  try {
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('The sign-in was cancelled.')), { once: true });
      channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
        if (data.kind !== 'arrived' || readState(data.address)?.id !== state) return;
        channel.postMessage({ kind: 'taken', state } satisfies TabMessage);
        manager.signinRedirectCallback(data.address).then((user) => {
          startTabSignIn(user, null);
          resolve();
        }, reject);
      });
      beside.location.href = request.url;
    });
    return true;
  } finally {
    channel.close();
  }
}

/**
 * Ends the sign-in on the page that the issuer sent the browser back to. If the link to that page was used before, a user who
 * is signed in returns to the application: nothing of the link is used then, which anybody may have written.
 *
 * @param isSignedIn whether this window has a session
 * @returns where to continue: an address of this application; `undefined` if another window continues
 * @throws {Error} if the issuer refused, or this window has not started the sign-in
 */
export async function completeSignIn(manager: UserManager, isSignedIn: boolean): Promise<string | undefined> {
  const address = window.location.href;
  const state = readState(address);
  if (state === undefined || (await manager.settings.stateStore.get(state.id)) === null) {
    if (state?.isBeside && (await handOver(address, state.id, isSignedIn ? SHORT_HAND_OVER_MS : HAND_OVER_MS)))
      return undefined;
    const link = readTabSignIn()?.link;
    if (isSignedIn) return ownAddress(link?.state === state?.id ? link?.returnTo : undefined);
  }
  const user = await manager.signinRedirectCallback(address);
  const returnTo = ownAddress((user.state as { returnTo?: unknown } | undefined)?.returnTo);
  startTabSignIn(user, state === undefined ? null : { state: state.id, returnTo });
  return returnTo;
}

/** Returns the address if it is a page of this application that is not part of the sign-in, and else that of the first page. */
function ownAddress(address: unknown): string {
  return typeof address === 'string' &&
    address.startsWith(`${BASE_URL}/`) &&
    !new URL(address).href.startsWith(`${BASE_URL}/sign-in/`)
    ? address
    : `${BASE_URL}/`;
}

/** How long a window that waits for the sign-in may take to say so, in ms. */
const HAND_OVER_MS = 3_000;
/** The same where nobody else needs it: who is signed in has come by a link from anywhere. */
const SHORT_HAND_OVER_MS = 1_000;

/** Hands an address to the window that began this sign-in, if there is one. */
function handOver(address: string, state: string, waitMs: number): Promise<boolean> {
  const channel = new BroadcastChannel(CHANNEL);
  return new Promise((resolve) => {
    const timer = setTimeout(() => done(false), waitMs);
    const done = (taken: boolean): void => {
      clearTimeout(timer);
      channel.close();
      resolve(taken);
    };
    channel.addEventListener(
      'message',
      ({ data }: MessageEvent<TabMessage>) => data.kind === 'taken' && data.state === state && done(true),
    );
    channel.postMessage({ kind: 'arrived', address } satisfies TabMessage);
  });
}

/** Reads the state, as the library writes it: an id, and after a semicolon what was added to it. */
function readState(address: string): { readonly id: string; readonly isBeside: boolean } | undefined {
  const [id, added] = new URL(address).searchParams.get('state')?.split(';') ?? [];
  return id === undefined ? undefined : { id, isBeside: added === BESIDE };
}

/** What went wrong at signing in, in words. */
export function explainSignIn(error: unknown): string {
  const { failures } = texts.session;
  if (error instanceof ErrorResponse) {
    const known: Readonly<Record<string, string>> = failures.codes;
    const words = known[error.error ?? ''] ?? failures.refused(error.error ?? '');
    return error.error_description ? failures.saying(words, error.error_description) : words;
  }
  // What the browser says of a request that came to nobody.
  if (error instanceof TypeError || error instanceof ErrorTimeout) return failures.unreachable;
  if (error instanceof Error && /state/i.test(error.message)) return failures.state;
  return error instanceof Error ? failures.failed(error.message) : failures.failed(String(error));
}
