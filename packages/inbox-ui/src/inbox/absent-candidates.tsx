import { Text } from '@mantine/core';
import type { Approval } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { Until } from '../time/until.js';
import { oneLine } from '../ui/one-line.js';

const t = texts.absence;

/** The absent candidates with their substitutes. */
export function AbsentCandidates({ absences }: Pick<Approval, 'absences'>) {
  return absences.map(({ subject, substitute, until }) => (
    <Text size="sm" key={subject}>
      {t.isAway(oneLine(subject, 60))} <Until at={until} />.{' '}
      {substitute !== null && t.inTheirPlace(oneLine(substitute, 60))}
    </Text>
  ));
}
