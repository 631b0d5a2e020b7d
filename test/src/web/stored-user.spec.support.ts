import type { Page } from 'playwright-core';

/** Tokens of a sign-in as a tab stores them, with only the properties that specs need. */
export interface StoredUser {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly expires_at: number;
}

/** Reads the tokens that a tab stores; `undefined` if it is not signed in. */
export function readStoredUser(page: Page): Promise<StoredUser | undefined> {
  return page.evaluate(() => {
    const [storedEntry] = Object.entries({ ...sessionStorage }).filter(([key]) =>
      key.startsWith('countersign:sign-in:'),
    );
    return storedEntry === undefined ? undefined : (JSON.parse(storedEntry[1] as string) as { user: StoredUser }).user;
  });
}

/** Changes the stored properties of the sign-in of a tab; `null` removes a property. */
export function changeStoredUser(
  page: Page,
  changes: { readonly [key in keyof StoredUser]?: StoredUser[key] | null },
): Promise<void> {
  return page.evaluate((changed) => {
    for (const [key, value] of Object.entries({ ...sessionStorage }) as [string, string][]) {
      if (!key.startsWith('countersign:sign-in:')) continue;
      const storedValue = JSON.parse(value) as { readonly user: object };
      const user = Object.fromEntries(
        Object.entries({ ...storedValue.user, ...changed }).filter(([, each]) => each !== null),
      );
      sessionStorage.setItem(key, JSON.stringify({ ...storedValue, user }));
    }
  }, changes);
}
