import { SettingsTestFailure, type SettingsTestCheck, type SettingsTestContribution } from '@countersign/core';
import type { Services } from '../app/services.js';
import { signDevToken, verifyDevToken } from '../auth/dev-tokens.js';
import { fetchDiscovery } from '../auth/oidc-issuer.js';

const TIMEOUT_MS = 5_000;

/** Creates the settings test of token verification: the issuer's keys, or the development token key. */
export function createAuthTest({
  authenticator,
  clock,
}: Pick<Services, 'authenticator' | 'clock'>): SettingsTestContribution {
  return {
    target: 'auth',
    checks: () => {
      const { issuer, devTokensEnabled } = authenticator;
      if (issuer !== undefined) return createIssuerChecks(issuer.issuer);
      return devTokensEnabled ? [createDevTokenCheck(authenticator, clock)] : [noSignInCheck];
    },
  };
}

function createIssuerChecks(issuer: string): SettingsTestCheck[] {
  return [
    {
      name: 'the issuer publishes its metadata',
      run: async () => {
        const { issuer: namedIssuer } = await fetchMetadata(issuer);
        return `${namedIssuer} responds.`;
      },
    },
    {
      name: 'the issuer has keys',
      run: async () => {
        const { jwks_uri } = await fetchMetadata(issuer);
        const response = await fetch(jwks_uri, {
          signal: AbortSignal.timeout(TIMEOUT_MS),
          headers: { accept: 'application/json' },
        });
        const body = response.ok ? ((await response.json()) as { keys?: unknown }) : undefined;
        if (!Array.isArray(body?.keys) || body.keys.length === 0)
          throw new SettingsTestFailure(`${jwks_uri} responded with status ${response.status} and no keys.`);
        return `Keys at ${jwks_uri}: ${body.keys.length}.`;
      },
    },
  ];
}

/** Fetches the metadata again, bypassing the cache of the authenticator. */
async function fetchMetadata(issuer: string) {
  return fetchDiscovery(issuer).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SettingsTestFailure(`The metadata of the issuer ${issuer} cannot be read: ${reason}`, { cause });
  });
}

function createDevTokenCheck(authenticator: Services['authenticator'], clock: Services['clock']): SettingsTestCheck {
  return {
    name: 'a development token is valid',
    run: async () => {
      const key = await authenticator.getDevTokenKey();
      const { token } = await signDevToken(key, { subject: 'settings-test', role: 'viewer' }, clock.now());
      await verifyDevToken(key, token, new Date(clock.now()));
      return 'This server issues development tokens. Do not use it in production.';
    },
  };
}

const noSignInCheck: SettingsTestCheck = {
  name: 'users can sign in',
  run: () => Promise.reject(new SettingsTestFailure('Users cannot sign in. Set Auth:Issuer and Auth:Audience.')),
};
