import { createClient, type Role } from '@countersign/contract';
import { BASE_PATH, BASE_URL } from '@countersign/inbox-ui/app/base-url';
import type { TokenSource } from './token-source.js';

/** Only in this tab, and removed with it. */
const STORE = `countersign:dev-token:${BASE_PATH}`;

/** Signs in with a token of the development endpoint. */
export async function signInForDevelopment(subject: string, role: Role): Promise<void> {
  const { access_token: token, expires_in: seconds } = await createClient({ baseUrl: BASE_URL }).createToken({
    body: { subject, role },
  });
  sessionStorage.setItem(STORE, JSON.stringify({ token, subject, expiresAt: Date.now() + seconds * 1000 }));
}

/** Returns the token source of the user who is signed in now, never of one who signs in here later. */
export function devTokens(): TokenSource {
  const person = stored().subject;
  return {
    async token() {
      const { token, subject, expiresAt } = stored();
      if (subject !== person) return undefined;
      return typeof token === 'string' && typeof expiresAt === 'number' && expiresAt > Date.now() ? token : undefined;
    },
    async hasEnded() {
      return sessionStorage.getItem(STORE) !== null;
    },
    async forget() {
      sessionStorage.removeItem(STORE);
    },
    async signOut() {
      sessionStorage.removeItem(STORE);
    },
  };
}

/** Returns the stored sign-in, or an empty object if the stored value is invalid: the user then signs in again. */
function stored(): Partial<Record<'token' | 'subject' | 'expiresAt', unknown>> {
  try {
    return (JSON.parse(sessionStorage.getItem(STORE) ?? '{}') ?? {}) as ReturnType<typeof stored>;
  } catch {
    return {};
  }
}
