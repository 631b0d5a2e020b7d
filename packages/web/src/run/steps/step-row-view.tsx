import { formatDuration } from '@countersign/inbox-ui/time/format-time';
import { useNow } from '@countersign/inbox-ui/time/use-now';
import { VisuallyHidden } from '@mantine/core';
import type { Step } from '@countersign/contract';
import { IconArrowUpRight, IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { memo } from 'react';
import { Link } from 'react-router';
import { texts } from '../../texts/index.js';
import { computeSpan, type StepRow } from './step-rows.js';
import { StepStatusIcon } from './step-status-icon.js';

interface StepRowViewProps {
  readonly id: string;
  readonly row: StepRow;
  readonly top: number;
  readonly height: number;
  readonly isCurrent: boolean;
  /** Time range of the run, in ms; `to` is `undefined` if the range ends at the current time. */
  readonly from: number;
  readonly to: number | undefined;
  onOpen(stepId: string): void;
  onToggle(stepId: string): void;
}

/** Shows the status and the name of a step, and its position in the time range of the run. */
export const StepRowView = memo(function StepRowView({
  id,
  row,
  top,
  height,
  isCurrent,
  from,
  to,
  onOpen,
  onToggle,
}: StepRowViewProps) {
  const { step, label, level, position, siblingCount, expanded } = row;
  return (
    <div
      id={id}
      role="treeitem"
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblingCount}
      aria-expanded={expanded}
      aria-selected={isCurrent}
      className="cs-step-row"
      style={{ height, transform: `translateY(${top}px)`, paddingLeft: (level - 1) * 16 }}
      onClick={() => onOpen(step.stepId)}
    >
      <span
        className="cs-step-toggle"
        onClick={(event) => {
          if (expanded === undefined) return;
          event.stopPropagation();
          onToggle(step.stepId);
        }}
      >
        {expanded !== undefined &&
          (expanded ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />)}
      </span>
      <StepStatusIcon status={step.status} />
      <span className="cs-step-name" title={label}>
        {label}
      </span>
      {step.iteration > 1 && <span className="cs-step-note">#{step.iteration}</span>}
      {step.attempt > 1 && <span className="cs-step-note">{texts.run.steps.attempt(step.attempt)}</span>}
      {step.status === 'completed' ? (
        <VisuallyHidden>{texts.stepStatus.completed}</VisuallyHidden>
      ) : (
        <span className={`cs-step-word cs-${step.status}`}>{texts.stepStatus[step.status]}</span>
      )}
      {step.completedAt === null ? (
        <RunningTime step={step} from={from} to={to} />
      ) : (
        <StepTime
          step={step}
          from={from}
          to={to ?? Date.parse(step.completedAt)}
          now={Date.parse(step.completedAt)}
          isLive={to === undefined}
        />
      )}
      {step.calledRunId !== null && (
        // Keyboard users find the same link in the drawer of the step.
        <Link
          to={`/runs/${step.calledRunId}`}
          tabIndex={-1}
          className="cs-step-called"
          aria-label={texts.run.children.open}
          title={texts.run.children.open}
          onClick={(event) => event.stopPropagation()}
        >
          <IconArrowUpRight size={14} aria-hidden />
        </Link>
      )}
    </div>
  );
});

function RunningTime({
  step,
  from,
  to,
}: {
  readonly step: Step;
  readonly from: number;
  readonly to: number | undefined;
}) {
  const now = useNow();
  return <StepTime step={step} from={from} to={to ?? now} now={to ?? now} isLive={false} />;
}

interface StepTimeProps {
  readonly step: Step;
  readonly from: number;
  readonly to: number;
  readonly now: number;
  /** Whether the bar uses the current time instead of `to` as the end of the time range. */
  readonly isLive: boolean;
}

function StepTime({ step, from, to, now, isLive }: StepTimeProps) {
  return (
    <>
      {isLive ? <LiveBar step={step} from={from} now={now} /> : <Bar step={step} from={from} to={to} now={now} />}
      <span className="cs-step-time">{formatDuration(now - Date.parse(step.startedAt))}</span>
    </>
  );
}

function LiveBar({ step, from, now }: { readonly step: Step; readonly from: number; readonly now: number }) {
  return <Bar step={step} from={from} to={useNow()} now={now} />;
}

function Bar({
  step,
  from,
  to,
  now,
}: {
  readonly step: Step;
  readonly from: number;
  readonly to: number;
  readonly now: number;
}) {
  const { left, width } = computeSpan(step, { from, to }, now);
  return (
    <span className="cs-step-bar" aria-hidden>
      <span className={`cs-${step.status}`} style={{ left: `${left * 100}%`, width: `max(2px, ${width * 100}%)` }} />
    </span>
  );
}
