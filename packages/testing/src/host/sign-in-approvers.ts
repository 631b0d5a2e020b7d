import { createClient } from '@countersign/contract';
import type { TestHost } from './create-test-host.js';

/** Lets approvers sign in, because only users who have signed in can be delegates, substitutes and new candidates. */
export async function signInApprovers(
  { url, token }: Pick<TestHost, 'url' | 'token'>,
  ...subjects: readonly string[]
): Promise<void> {
  for (const subject of subjects)
    await createClient({ baseUrl: url, token: await token('approver', { subject }) }).getMe();
}
