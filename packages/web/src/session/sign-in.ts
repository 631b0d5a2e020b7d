import { BASE_PATH, BASE_URL } from '@countersign/inbox-ui/app/base-url';
import type { UserManager } from 'oidc-client-ts';
import { ErrorResponse, ErrorTimeout, OidcClient } from 'oidc-client-ts';
import { texts } from '../texts/index.js';
import { readTabSignIn, startTabSignIn } from './tab-sign-in.js';

/** Suffix of the `state` parameter of a sign-in for which another window waits. */
const POPUP_STATE_SUFFIX = 'beside';

const CHANNEL_NAME = `countersign:sign-in:${BASE_PATH}`;

type TabMessage =
  { readonly kind: 'arrived'; readonly address: string } | { readonly kind: 'taken'; readonly state: string };

/** Redirects to the issuer, which returns to the current address. */
export function startSignIn(manager: UserManager): Promise<void> {
  return manager.signinRedirect({ state: { returnTo: window.location.href } });
}

/**
 * Signs in with a popup, so that this window keeps everything that the user has typed. The page of the issuer and this
 * page cannot access each other (`Cross-Origin-Opener-Policy`). The issuer therefore redirects the popup to a page that
 * passes its address to this window, and only this window can redeem the code (RFC 7636).
 *
 * @returns `false` if the browser blocks the popup
 */
export async function signInInPopup(manager: UserManager, signal: AbortSignal): Promise<boolean> {
  // Opened before anything is awaited: browsers allow popups only in direct response to a click.
  const popup = window.open('about:blank', '_blank', 'popup,width=520,height=720');
  if (popup === null) return false;
  const request = await new OidcClient(manager.settings)
    .createSigninRequest({ state: {}, url_state: POPUP_STATE_SUFFIX })
    .catch((error: unknown) => {
      // The popup will never show anything.
      popup.close();
      throw error;
    });
  const state = request.state.id;
  const channel = new BroadcastChannel(CHANNEL_NAME);
  try {
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('The sign-in was cancelled.')), { once: true });
      channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
        if (data.kind !== 'arrived' || parseState(data.address)?.id !== state) return;
        channel.postMessage({ kind: 'taken', state } satisfies TabMessage);
        manager.signinRedirectCallback(data.address).then((user) => {
          startTabSignIn(user, null);
          resolve();
        }, reject);
      });
      popup.location.href = request.url;
    });
    return true;
  } finally {
    channel.close();
  }
}

/**
 * Completes the sign-in on the page to which the issuer has redirected. If this window did not start the sign-in or has
 * already completed it, a signed-in user returns to the application, and the link is ignored, because anyone may have
 * created it.
 *
 * @param isSignedIn whether this window has a session
 * @returns address of this application at which to continue; `undefined` if another window continues
 * @throws {Error} if the issuer refused, or if this window did not start the sign-in
 */
export async function completeSignIn(manager: UserManager, isSignedIn: boolean): Promise<string | undefined> {
  const address = window.location.href;
  const state = parseState(address);
  if (state === undefined || (await manager.settings.stateStore.get(state.id)) === null) {
    if (
      state?.isPopup &&
      (await handOverToWindow(address, state.id, isSignedIn ? SHORT_HANDOVER_TIMEOUT_MS : HANDOVER_TIMEOUT_MS))
    )
      return undefined;
    const link = readTabSignIn()?.link;
    if (isSignedIn) return toApplicationAddress(link?.state === state?.id ? link?.returnTo : undefined);
  }
  const user = await manager.signinRedirectCallback(address);
  const returnTo = toApplicationAddress((user.state as { returnTo?: unknown } | undefined)?.returnTo);
  startTabSignIn(user, state === undefined ? null : { state: state.id, returnTo });
  return returnTo;
}

/**
 * Returns the address if it is a page of this application outside the sign-in; otherwise, the address of the start
 * page.
 */
function toApplicationAddress(address: unknown): string {
  return typeof address === 'string' &&
    address.startsWith(`${BASE_URL}/`) &&
    !new URL(address).href.startsWith(`${BASE_URL}/sign-in/`)
    ? address
    : `${BASE_URL}/`;
}

/** Time limit, in ms, for the waiting window to confirm that it has received the address. */
const HANDOVER_TIMEOUT_MS = 3_000;
/**
 * Shorter limit if the user is already signed in here: probably, no window is waiting and the user only followed a
 * link.
 */
const SHORT_HANDOVER_TIMEOUT_MS = 1_000;

/** Passes an address to the window that started this sign-in. Returns whether that window has confirmed it in time. */
function handOverToWindow(address: string, state: string, timeoutMs: number): Promise<boolean> {
  const channel = new BroadcastChannel(CHANNEL_NAME);
  return new Promise((resolve) => {
    const timer = setTimeout(() => finish(false), timeoutMs);
    const finish = (isConfirmed: boolean): void => {
      clearTimeout(timer);
      channel.close();
      resolve(isConfirmed);
    };
    channel.addEventListener(
      'message',
      ({ data }: MessageEvent<TabMessage>) => data.kind === 'taken' && data.state === state && finish(true),
    );
    channel.postMessage({ kind: 'arrived', address } satisfies TabMessage);
  });
}

/** Parses the state in the library's format: an id and, after a semicolon, the added data. */
function parseState(address: string): { readonly id: string; readonly isPopup: boolean } | undefined {
  const [id, suffix] = new URL(address).searchParams.get('state')?.split(';') ?? [];
  return id === undefined ? undefined : { id, isPopup: suffix === POPUP_STATE_SUFFIX };
}

/** Returns the message for a sign-in error. */
export function explainSignInError(error: unknown): string {
  const { failures } = texts.session;
  if (error instanceof ErrorResponse) {
    const messages: Readonly<Record<string, string>> = failures.codes;
    const message = messages[error.error ?? ''] ?? failures.refused(error.error ?? '');
    return error.error_description ? failures.withDescription(message, error.error_description) : message;
  }
  // The request did not reach the issuer, or the issuer did not respond in time.
  if (error instanceof TypeError || error instanceof ErrorTimeout) return failures.unreachable;
  if (error instanceof Error && /state/i.test(error.message)) return failures.state;
  return error instanceof Error ? failures.failed(error.message) : failures.failed(String(error));
}
