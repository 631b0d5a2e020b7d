import { expect } from 'chai';
import pg from 'pg';
import type { AuditEntry } from '@countersign/model';
import { buildConnectionOptions } from '../database/connection-options.js';
import { createTestStorage, captureError, type TestStorage } from '../storage.spec.support.js';
import { AuditAppender } from './audit-appender.js';

const buildEntry = (data: AuditEntry['data']): AuditEntry => ({
  at: Date.UTC(2026, 0, 5),
  actor: null,
  action: 'x',
  target: {},
  result: 'ok',
  from: null,
  data,
});

describe('AuditAppender', () => {
  let test: TestStorage;
  let pool: pg.Pool;

  beforeEach(async () => {
    test = await createTestStorage();
    pool = new pg.Pool({ ...buildConnectionOptions(test.connectionString), max: 5 });
    pool.on('error', () => undefined); // the database may be dropped before its last connection closes
  });

  afterEach(async () => {
    await pool.end();
    await test.dispose();
  });

  it('should append concurrent entries over one connection', async () => {
    const appender = new AuditAppender(() => pool);

    await Promise.all(Array.from({ length: 700 }, (_, n) => appender.append([buildEntry({ n }), buildEntry({ n })])));

    expect(pool.totalCount).to.equal(1);
    const records = await test.storage.listAudit({}, 2000);
    expect(new Set(records.map(({ seq }) => seq)).size).to.equal(1400);
    expect(Math.max(...records.map(({ seq }) => seq))).to.equal(1400);
  });

  it('should reject only the invalid append of several, and continue to append', async () => {
    const appender = new AuditAppender(() => pool);
    const first = appender.append([buildEntry({})]);
    const invalidAppend = captureError(appender.append([buildEntry({ text: '\0' })]));
    const concurrentAppend = appender.append([buildEntry({})]);
    await Promise.all([first, concurrentAppend]);
    expect(await invalidAppend).to.have.property('code');
    await appender.append([buildEntry({})]);
    expect((await test.storage.listAudit({}, 5)).map(({ seq }) => seq)).to.have.members([1, 2, 3]);
  });
});
