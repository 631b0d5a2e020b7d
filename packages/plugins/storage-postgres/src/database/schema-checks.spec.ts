import { expect } from 'chai';
import type { Knex } from 'knex';
import { captureError } from '../storage.spec.support.js';
import { assertSupportedServer } from './schema-checks.js';

const createKnexStub = (overrides: object) =>
  ({
    raw: () =>
      Promise.resolve({ rows: [{ version: 140_001, full: '14.1', encoding: 'UTF8', standby: false, ...overrides }] }),
  }) as unknown as Knex;

describe('assertSupportedServer', () => {
  it('should accept PostgreSQL 14 and newer', async () => {
    await assertSupportedServer(createKnexStub({}));
    await assertSupportedServer(createKnexStub({ version: 180_004 }));
  });

  it('should report the version, encoding or standby mode that is not supported', async () => {
    for (const [overrides, expectedText] of [
      [{ version: 130_015, full: '13.15' }, '13.15'],
      [{ encoding: 'LATIN1' }, 'LATIN1'],
      [{ standby: true }, 'standby'],
    ] as const) {
      const failure = await captureError(assertSupportedServer(createKnexStub(overrides)));
      expect(failure.code).to.equal('database_unsupported');
      expect(failure.message).to.include(expectedText);
    }
  });
});
