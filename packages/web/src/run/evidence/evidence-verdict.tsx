import { Alert } from '@mantine/core';
import { IconAlertTriangle, IconShieldCheck, IconX, type TablerIcon } from '@tabler/icons-react';
import { texts } from '../../texts/index.js';
import { formatBytes } from '../artifacts/format-bytes.js';
import { evaluateCheck, type Verdict } from './evaluate-check.js';
import type { LoadedEvidence } from './load-evidence.js';

const t = texts.evidence;
const VERDICT_STYLES: Readonly<Record<Verdict, readonly [string, TablerIcon]>> = {
  valid: ['green', IconShieldCheck],
  gaps: ['yellow', IconAlertTriangle],
  invalid: ['red', IconX],
};

interface EvidenceVerdictProps {
  readonly evidence: LoadedEvidence;
  /** Larger packs are not checked. */
  readonly maxBytes: number;
}

/** The result of the check in one box. Not a live region, because it is displayed in one. */
export function EvidenceVerdict({ evidence, maxBytes }: EvidenceVerdictProps) {
  const { color, Icon, title, hint } = describeVerdict(evidence, maxBytes);
  return (
    <Alert color={color} role="group" title={title} icon={<Icon size={20} aria-hidden />}>
      {hint}
    </Alert>
  );
}

interface VerdictDescription {
  readonly color: string;
  readonly Icon: TablerIcon;
  readonly title: string;
  readonly hint: string;
}

function describeVerdict(evidence: LoadedEvidence, maxBytes: number): VerdictDescription {
  if (evidence.kind === 'unreadable')
    return { color: 'red', Icon: IconAlertTriangle, title: t.unreadable, hint: t.unreadableHint };
  if (evidence.kind === 'too_large') {
    const size = evidence.bytes === undefined ? undefined : formatBytes(evidence.bytes);
    return {
      color: 'yellow',
      Icon: IconAlertTriangle,
      title: t.tooLarge,
      hint: t.tooLargeHint(size, formatBytes(maxBytes)),
    };
  }
  const { check } = evidence;
  const { verdict } = evaluateCheck(check);
  const [color, Icon] = VERDICT_STYLES[verdict];
  const title = verdict === 'invalid' ? t.verdicts.invalid(check.problems.length) : t.verdicts[verdict];
  return { color, Icon, title, hint: t.verdictHints[verdict] };
}
