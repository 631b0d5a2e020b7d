import { useMay } from '@countersign/inbox-ui/session/session';
import { escapeInvisible } from '@countersign/inbox-ui/ui/escape-invisible';
import { Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconBan, IconCheck, IconClock, IconPlayerPlay, type TablerIcon } from '@tabler/icons-react';
import type { RunDetail } from '@countersign/contract';
import { Link } from 'react-router';
import { texts } from '../../texts/index.js';
import { HowToDeliver } from './how-to-deliver.js';
import { useRunExplanation } from './use-run-explanation.js';
import type { WhyAction, ExplanationTone } from './why-waiting.js';
import './why-bar.css';

const ICONS: Readonly<Record<ExplanationTone, TablerIcon>> = {
  active: IconPlayerPlay,
  waiting: IconClock,
  failed: IconAlertTriangle,
  done: IconCheck,
  ended: IconBan,
};

interface WhyBarProps {
  readonly run: RunDetail;
  onStep(stepId: string): void;
  onQuestion(): void;
  onRecover(): void;
}

/** Explains the state of the run and offers actions. */
export function RunExplanationBar({ run, ...acts }: WhyBarProps) {
  const { tone, text, actions } = useRunExplanation(run);
  const Icon = ICONS[tone];
  return (
    <section className={`cs-why cs-${tone}`} aria-label={texts.run.why.label}>
      <Icon size={18} aria-hidden className="cs-why-icon" />
      <Text size="sm" className="cs-why-text" title={escapeInvisible(text)}>
        {escapeInvisible(text)}
      </Text>
      <Group gap="xs" wrap="nowrap">
        {actions.map((action, index) => (
          <Act
            key={JSON.stringify(action)}
            action={action}
            place={actions.filter(({ kind }) => kind === action.kind).length > 1 ? index + 1 : undefined}
            {...acts}
          />
        ))}
      </Group>
    </section>
  );
}

interface ActProps extends Omit<WhyBarProps, 'run'> {
  readonly action: WhyAction;
  /** Position among several actions of one kind, in the order of the sentence. */
  readonly place: number | undefined;
}

function Act({ action, place, onStep, onQuestion, onRecover }: ActProps) {
  const mayOperate = useMay('operator');
  switch (action.kind) {
    case 'approval':
      return (
        <Button
          component={Link}
          size="xs"
          variant={place === undefined || place === 1 ? 'filled' : 'default'}
          to={`/approvals/${action.approvalId}`}
        >
          {place === undefined ? texts.run.why.openApproval : texts.run.why.openApprovalOf(place)}
        </Button>
      );
    case 'question':
      return (
        <Button size="xs" onClick={onQuestion}>
          {mayOperate ? texts.run.why.answer : texts.run.why.showQuestion}
        </Button>
      );
    case 'run':
      return (
        <Button component={Link} size="xs" variant="default" to={`/runs/${action.runId}`}>
          {texts.run.why.openRun}
        </Button>
      );
    case 'step':
      return (
        <Button size="xs" variant="default" onClick={() => onStep(action.stepId)}>
          {texts.run.why.showStep}
        </Button>
      );
    case 'deliver':
      return mayOperate ? (
        <HowToDeliver messageName={action.messageName} correlationKey={action.correlationKey} />
      ) : null;
    case 'recover':
      return mayOperate ? (
        <Button size="xs" onClick={onRecover}>
          {texts.run.why.recover}
        </Button>
      ) : null;
  }
}
