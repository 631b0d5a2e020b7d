import type { Page } from 'playwright-core';

/** The tokens of a sign-in that a tab stores, as far as specs need them. */
export interface KeptUser {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly expires_at: number;
}

/** Reads the tokens that a tab stores; `undefined` if it is not signed in. */
export function keptUser(page: Page): Promise<KeptUser | undefined> {
  return page.evaluate(() => {
    const [kept] = Object.entries({ ...sessionStorage }).filter(([key]) => key.startsWith('countersign:sign-in:'));
    return kept === undefined ? undefined : (JSON.parse(kept[1] as string) as { user: KeptUser }).user;
  });
}

/** Changes the tokens that a tab stores; `null` removes one. */
export function changeKeptUser(
  page: Page,
  changes: { readonly [key in keyof KeptUser]?: KeptUser[key] | null },
): Promise<void> {
  return page.evaluate((changed) => {
    for (const [key, value] of Object.entries({ ...sessionStorage }) as [string, string][]) {
      if (!key.startsWith('countersign:sign-in:')) continue;
      const kept = JSON.parse(value) as { readonly user: object };
      const user = Object.fromEntries(Object.entries({ ...kept.user, ...changed }).filter(([, each]) => each !== null));
      sessionStorage.setItem(key, JSON.stringify({ ...kept, user }));
    }
  }, changes);
}
