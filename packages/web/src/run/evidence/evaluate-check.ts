import type { AsyncEvidenceCheck, IntegrityProblemCode } from '@countersign/contract/evidence';

/** The parts of the check that the page shows. */
export type CheckedPart = 'history' | 'people' | 'statements' | 'documents' | 'signatures';

/**
 * Result of a part. `incomplete`: not everything could be checked. `absent`: the pack contains nothing of this kind.
 */
export type PartResult = 'passed' | 'failed' | 'incomplete' | 'absent';

/** `gaps`: no problems were found, but not everything could be checked. */
export type Verdict = 'valid' | 'gaps' | 'invalid';

export interface EvaluatedCheck {
  readonly verdict: Verdict;
  readonly parts: Readonly<Record<CheckedPart, PartResult>>;
}

/** Problems without a part can end the check, so the parts without problems are incomplete. */
const PART_BY_CODE: Readonly<Record<IntegrityProblemCode, CheckedPart | undefined>> = Object.freeze({
  format_unknown: undefined,
  malformed: undefined,
  chain_broken: 'history',
  head_differs: 'history',
  commitment_differs: 'people',
  private_part_missing: 'people',
  person_differs: 'people',
  statement_differs: 'statements',
  digest_differs: 'documents',
  signature_invalid: 'signatures',
});

/** Derives the result of each part. Never reports a part as passed that may not have been checked. */
export function evaluateCheck({
  problems,
  notCovered,
  verifiedSignatures,
  uncheckedSignatures,
}: AsyncEvidenceCheck): EvaluatedCheck {
  const failedParts = new Set(problems.map(({ code }) => PART_BY_CODE[code]));
  const evaluatePart = (part: CheckedPart, unfailed: PartResult): PartResult =>
    failedParts.has(part) ? 'failed' : failedParts.has(undefined) ? 'incomplete' : unfailed;
  return {
    verdict: problems.length > 0 ? 'invalid' : notCovered.length > 0 || uncheckedSignatures > 0 ? 'gaps' : 'valid',
    parts: {
      history: evaluatePart('history', 'passed'),
      people: evaluatePart('people', notCovered.length > 0 ? 'incomplete' : 'passed'),
      statements: evaluatePart('statements', 'passed'),
      documents: evaluatePart('documents', 'passed'),
      signatures: evaluatePart(
        'signatures',
        uncheckedSignatures > 0 ? 'incomplete' : verifiedSignatures === 0 ? 'absent' : 'passed',
      ),
    },
  };
}
