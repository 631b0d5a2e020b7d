import { createClient, type Role } from '@countersign/contract';
import { BASE_PATH, BASE_URL } from '@countersign/inbox-ui/app/base-url';
import type { TokenSource } from './token-source.js';

/** Key in session storage: the sign-in is available only in this tab and ends with it. */
const STORAGE_KEY = `countersign:dev-token:${BASE_PATH}`;

/** Signs in with a token of the development endpoint. */
export async function signInForDevelopment(subject: string, role: Role): Promise<void> {
  const { access_token: token, expires_in: seconds } = await createClient({ baseUrl: BASE_URL }).createToken({
    body: { subject, role },
  });
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ token, subject, expiresAt: Date.now() + seconds * 1000 }));
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
function readStoredSignIn(): Partial<Record<'token' | 'subject' | 'expiresAt', unknown>> {
  try {
    return (JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '{}') ?? {}) as ReturnType<typeof readStoredSignIn>;
  } catch {
    return {};
  }
}
