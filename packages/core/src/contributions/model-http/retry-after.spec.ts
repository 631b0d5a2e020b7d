import { expect } from 'chai';
import { parseRetryAfterMs } from './retry-after.js';

describe('parseRetryAfterMs', () => {
  const NOW = Date.parse('2026-01-01T00:00:00Z');
  const cases: readonly (readonly [Readonly<Record<string, string>>, number | undefined])[] = [
    [{}, undefined],
    [{ 'retry-after': '3' }, 3_000],
    [{ 'retry-after': '0.25' }, 250],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:20 GMT' }, 20_000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:20 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '-5' }, 0],
    [{ 'retry-after': '1e9' }, undefined],
    [{ 'retry-after': '99999999999' }, 3_600_000],
    [{ 'retry-after-ms': '125', 'retry-after': '3' }, 125],
    [{ 'retry-after-ms': 'x', 'retry-after': '3' }, 3_000],
    [{ 'x-ratelimit-reset': '12' }, 12_000],
    [{ 'x-ratelimit-reset': String(NOW / 1_000 + 9) }, 9_000],
    [{ 'x-ratelimit-reset': String(NOW + 9) }, 9],
    [{ 'x-ratelimit-remaining': '3', 'x-ratelimit-reset': '12' }, undefined],
    [
      {
        'x-ratelimit-remaining-tokens': '0',
        'x-ratelimit-reset-tokens': '6m0s',
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-requests': '20ms',
      },
      360_000,
    ],
    [{ 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '1 fortnight' }, undefined],
    [
      {
        'anthropic-ratelimit-input-tokens-remaining': '0',
        'anthropic-ratelimit-input-tokens-reset': '2026-01-01T00:00:07Z',
      },
      7_000,
    ],
    [
      { 'anthropic-ratelimit-requests-remaining': '10', 'anthropic-ratelimit-requests-reset': '2026-01-01T00:00:07Z' },
      undefined,
    ],
  ];

  for (const [headers, expected] of cases) {
    it(`should return ${expected} for ${JSON.stringify(headers)}`, () => {
      expect(parseRetryAfterMs(new Headers(headers), NOW)).to.equal(expected);
    });
  }
});
