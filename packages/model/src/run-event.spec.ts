import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { expect } from 'chai';
import type { RunEventDraft } from './advance-result.js';
import { PersonSalts } from './person-digest.js';
import { chainEvents, GENESIS_HASH } from './run-event.js';

const RUN_ID = '01a2030c-ba17-7acc-9fd3-5e425291ad1d';
const STEP_ID = '01a2030c-ba1e-7001-9fd3-5e425291ad1d';
const SALT = 'ab'.repeat(16);
const AT = Date.UTC(2026, 0, 2, 3, 4, 5, 6);

const sha256 = (value: object): string =>
  createHash('sha256')
    .update(canonicalize(value) ?? '')
    .digest('hex');

describe('chainEvents()', () => {
  const drafts: readonly RunEventDraft[] = [
    {
      seq: 1,
      at: AT,
      type: 'run.started',
      stepId: null,
      elementId: null,
      data: { b: 1, a: ['ü', null] },
      private: { text: 'a "quoted"\n', actor: { id: 'ada' } },
    },
    { seq: 2, at: AT, type: 'step.completed', stepId: STEP_ID, elementId: 'an "id"', data: {}, private: null },
  ];
  const events = chainEvents(RUN_ID, GENESIS_HASH, drafts, () => SALT, new PersonSalts({}, () => SALT));

  it('should hash the RFC 8785 form of the documented fields with the previous hash', () => {
    let previousHash = GENESIS_HASH;
    for (const [index, { private: privateData, ...fields }] of drafts.entries()) {
      const commitment = privateData === null ? null : sha256({ private: privateData, salt: SALT });
      const hash = sha256({ ...fields, runId: RUN_ID, at: '2026-01-02T03:04:05.006Z', commitment, previousHash });

      expect(events[index]).to.include({ commitment, previousHash, hash });
      previousHash = hash;
    }
  });

  it('should keep the strings that were hashed', () => {
    expect(events.map(({ dataText, privateText }) => [dataText, privateText])).to.deep.equal(
      drafts.map((draft) => [canonicalize(draft.data), draft.private && canonicalize(draft.private)]),
    );
  });

  it('should draw no salt for an event without private data', () => {
    expect(events.map(({ salt }) => salt)).to.deep.equal([SALT, null]);
  });
});
