import { createClient, type DevelopmentUser } from '@countersign/contract';
import { BASE_PATH, BASE_URL } from '@countersign/inbox-ui/app/base-url';
import type { TokenSource } from './token-source.js';

/** Key in session storage: the sign-in is available only in this tab and ends with it. */
const STORAGE_KEY = `countersign:dev-token:${BASE_PATH}`;

/** A development token and its user. */
export interface DevSignIn {
  readonly token: string;
  readonly subject: string;
  /** In ms since the epoch. */
  readonly expiresAt: number;
}

/** Requests a token for a user at the development endpoint. {@link storeDevSignIn} signs in with it. */
export async function requestDevSignIn({ subject, role, name, groups }: DevelopmentUser): Promise<DevSignIn> {
  const { access_token: token, expires_in: seconds } = await createClient({ baseUrl: BASE_URL }).createToken({
    body: { subject, role, groups, ...(name === null ? {} : { name }) },
  });
  return { token, subject, expiresAt: Date.now() + seconds * 1000 };
}

/** Signs this tab in. */
export function storeDevSignIn(signIn: DevSignIn): void {
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify(signIn));
}

/** Creates the token source of the current user. It returns no token of another user who signs in later in this tab. */
export function createDevTokenSource(): TokenSource {
  const signedInSubject = readStoredSignIn().subject;
  return {
    async getToken() {
      const { token, subject, expiresAt } = readStoredSignIn();
      if (subject !== signedInSubject) return undefined;
      return typeof token === 'string' && typeof expiresAt === 'number' && expiresAt > Date.now() ? token : undefined;
    },
    async hasStoredSignIn() {
      return sessionStorage.getItem(STORAGE_KEY) !== null;
    },
    async forget() {
      sessionStorage.removeItem(STORAGE_KEY);
    },
    async signOut() {
      sessionStorage.removeItem(STORAGE_KEY);
    },
  };
}

/** Returns the stored sign-in, or an empty object if the stored value is invalid: the user then signs in again. */
function readStoredSignIn(): Partial<Record<keyof DevSignIn, unknown>> {
  try {
    return (JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '{}') ?? {}) as ReturnType<typeof readStoredSignIn>;
  } catch {
    return {};
  }
}
