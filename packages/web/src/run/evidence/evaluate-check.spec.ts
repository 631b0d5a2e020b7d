import type { AsyncEvidenceCheck, CoverageGap, IntegrityProblemCode } from '@countersign/contract/evidence';
import { expect } from 'chai';
import { evaluateCheck } from './evaluate-check.js';

const CHECK: AsyncEvidenceCheck = { problems: [], notCovered: [], verifiedSignatures: 2, uncheckedSignatures: 0 };
const GAP: CoverageGap = { code: 'private_part_erased', events: [2], explanation: 'Erased.' };
const withProblem = (code: IntegrityProblemCode): AsyncEvidenceCheck => ({
  ...CHECK,
  problems: [{ code, pointer: '/x', message: 'Wrong.' }],
});

describe('evaluateCheck()', () => {
  it('should report a pack as valid if everything was checked', () => {
    expect(evaluateCheck(CHECK)).to.deep.equal({
      verdict: 'valid',
      parts: {
        history: 'passed',
        people: 'passed',
        statements: 'passed',
        documents: 'passed',
        signatures: 'passed',
      },
    });
  });

  it('should not report a pack as valid if signatures were not verified', () => {
    const { verdict, parts } = evaluateCheck({ ...CHECK, verifiedSignatures: 0, uncheckedSignatures: 2 });
    expect([verdict, parts.signatures]).to.deep.equal(['gaps', 'incomplete']);
  });

  it('should not report a pack as valid if the history does not prove everything', () => {
    const { verdict, parts } = evaluateCheck({ ...CHECK, notCovered: [GAP] });
    expect([verdict, parts.people]).to.deep.equal(['gaps', 'incomplete']);
  });

  it('should report that a pack contains no signatures', () => {
    const { verdict, parts } = evaluateCheck({ ...CHECK, verifiedSignatures: 0 });
    expect([verdict, parts.signatures]).to.deep.equal(['valid', 'absent']);
  });

  const partByCode = {
    chain_broken: 'history',
    head_differs: 'history',
    commitment_differs: 'people',
    private_part_missing: 'people',
    person_differs: 'people',
    statement_differs: 'statements',
    digest_differs: 'documents',
    signature_invalid: 'signatures',
  } as const;
  for (const [code, part] of Object.entries(partByCode)) {
    it(`should report ${code} as a failure of the part ${part} only`, () => {
      const { verdict, parts } = evaluateCheck(withProblem(code as IntegrityProblemCode));
      const failedParts = Object.entries(parts).filter(([, result]) => result === 'failed');
      expect([verdict, failedParts]).to.deep.equal(['invalid', [[part, 'failed']]]);
    });
  }

  for (const code of ['malformed', 'format_unknown'] as const) {
    it(`should report no part as passed after ${code}`, () => {
      const { verdict, parts } = evaluateCheck(withProblem(code));
      expect([verdict, [...new Set(Object.values(parts))]]).to.deep.equal(['invalid', ['incomplete']]);
    });
  }
});
