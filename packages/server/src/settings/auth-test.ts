import { SettingsTestFailure, type SettingsTestCheck, type SettingsTestContribution } from '@countersign/core';
import type { Services } from '../app/services.js';
import { signDevToken, verifyDevToken } from '../auth/dev-tokens.js';
import { fetchDiscovery } from '../auth/oidc-issuer.js';

const TIMEOUT_MS = 5_000;

/** Creates the settings test of token verification: the issuer's keys, or the development token key. */
export function authTest({
  authenticator,
  clock,
}: Pick<Services, 'authenticator' | 'clock'>): SettingsTestContribution {
  return {
    target: 'auth',
    checks: () => {
      const { issuer, devTokensEnabled } = authenticator;
      if (issuer !== undefined) return issuerChecks(issuer.issuer);
      return devTokensEnabled ? [devTokenCheck(authenticator, clock)] : [nobody];
    },
  };
}

function issuerChecks(issuer: string): SettingsTestCheck[] {
  return [
    {
      name: 'the issuer describes itself',
      run: async () => {
        const { issuer: namedIssuer } = await discovered(issuer);
        return `${namedIssuer} answers.`;
      },
    },
    {
      name: 'the issuer has keys',
      run: async () => {
        const { jwks_uri } = await discovered(issuer);
        const response = await fetch(jwks_uri, {
          signal: AbortSignal.timeout(TIMEOUT_MS),
          headers: { accept: 'application/json' },
        });
        const body = response.ok ? ((await response.json()) as { keys?: unknown }) : undefined;
        if (!Array.isArray(body?.keys) || body.keys.length === 0)
          throw new SettingsTestFailure(`${jwks_uri} answered ${response.status}, and no keys.`);
        return `${body.keys.length} at ${jwks_uri}.`;
      },
    },
  ];
}

/** Fetches the metadata again, bypassing the cache of the authenticator. */
async function discovered(issuer: string) {
  return fetchDiscovery(issuer).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SettingsTestFailure(`The issuer ${issuer} can't be asked: ${reason}`, { cause });
  });
}

function devTokenCheck(authenticator: Services['authenticator'], clock: Services['clock']): SettingsTestCheck {
  return {
    name: 'a development token holds',
    run: async () => {
      const key = await authenticator.devTokenKey();
      const { token } = await signDevToken(key, { subject: 'settings-test', role: 'viewer' }, clock.now());
      await verifyDevToken(key, token, new Date(clock.now()));
      return 'Development tokens are handed out by this server: not for production.';
    },
  };
}

const nobody: SettingsTestCheck = {
  name: 'somebody issues tokens',
  run: () => Promise.reject(new SettingsTestFailure('Nobody can sign in: set Auth:Issuer and Auth:Audience.')),
};
