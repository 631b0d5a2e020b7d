import { createClient } from '@countersign/contract';
import { useEffect, useState } from 'react';
import { BASE_URL } from '../app/base-url.js';
import { Loading } from '../ui/loading.js';
import { ProblemNotice } from '../ui/problem-notice.js';
import { completeSignIn, createOidc } from './oidc.js';

/** Where the issuer sends the browser back to. */
export function SignInCallbackPage() {
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    completion ??= complete();
    completion.then((address) => window.location.replace(address), setError);
  }, []);
  if (error === undefined) return <Loading />;
  return <ProblemNotice error={error} onRetry={() => window.location.replace(`${BASE_URL}/`)} />;
}

/** A code is taken once, however often the page is rendered. */
let completion: Promise<string> | undefined;

async function complete(): Promise<string> {
  return completeSignIn(createOidc(await createClient({ baseUrl: BASE_URL }).getAuthConfig()));
}
