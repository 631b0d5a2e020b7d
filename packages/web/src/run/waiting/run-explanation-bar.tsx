import { useHasRole } from '@countersign/inbox-ui/session/session';
import { escapeInvisible } from '@countersign/inbox-ui/ui/escape-invisible';
import { Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconBan, IconCheck, IconClock, IconPlayerPlay, type TablerIcon } from '@tabler/icons-react';
import type { RunDetail } from '@countersign/contract';
import { Link } from 'react-router';
import { texts } from '../../texts/index.js';
import { MessageInstructions } from './message-instructions.js';
import { useRunExplanation } from './use-run-explanation.js';
import type { ExplanationAction, ExplanationTone } from './explain-run.js';
import './run-explanation-bar.css';

const ICONS: Readonly<Record<ExplanationTone, TablerIcon>> = {
  active: IconPlayerPlay,
  waiting: IconClock,
  failed: IconAlertTriangle,
  done: IconCheck,
  ended: IconBan,
};

interface RunExplanationBarProps {
  readonly run: RunDetail;
  onOpenStep(stepId: string): void;
  onShowQuestions(): void;
  onRecover(): void;
}

/** Explains the state of the run and offers actions. */
export function RunExplanationBar({ run, ...handlers }: RunExplanationBarProps) {
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
          <ActionButton
            key={JSON.stringify(action)}
            action={action}
            position={actions.filter(({ kind }) => kind === action.kind).length > 1 ? index + 1 : undefined}
            {...handlers}
          />
        ))}
      </Group>
    </section>
  );
}

interface ActionButtonProps extends Omit<RunExplanationBarProps, 'run'> {
  readonly action: ExplanationAction;
  /** Position among several actions of one kind, in the order of the sentence. */
  readonly position: number | undefined;
}

function ActionButton({ action, position, onOpenStep, onShowQuestions, onRecover }: ActionButtonProps) {
  const mayOperate = useHasRole('operator');
  switch (action.kind) {
    case 'approval':
      return (
        <Button
          component={Link}
          size="xs"
          variant={position === undefined || position === 1 ? 'filled' : 'default'}
          to={`/approvals/${action.approvalId}`}
        >
          {position === undefined ? texts.run.why.openApproval : texts.run.why.openNthApproval(position)}
        </Button>
      );
    case 'question':
      return (
        <Button size="xs" onClick={onShowQuestions}>
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
        <Button size="xs" variant="default" onClick={() => onOpenStep(action.stepId)}>
          {texts.run.why.showStep}
        </Button>
      );
    case 'deliver':
      return mayOperate ? (
        <MessageInstructions messageName={action.messageName} correlationKey={action.correlationKey} />
      ) : null;
    case 'recover':
      return mayOperate ? (
        <Button size="xs" onClick={onRecover}>
          {texts.run.why.recover}
        </Button>
      ) : null;
  }
}
