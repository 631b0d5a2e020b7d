import { formatDuration } from '@countersign/inbox-ui/time/format-time';
import { Timestamp } from '@countersign/inbox-ui/time/timestamp';
import { useNow } from '@countersign/inbox-ui/time/use-now';
import { StepStatusBadge } from '@countersign/inbox-ui/ui/badges';
import { CopyButton } from '@countersign/inbox-ui/ui/copy-button';
import { EmptyState } from '@countersign/inbox-ui/ui/empty-state';
import { Facts } from '@countersign/inbox-ui/ui/facts';
import { JsonView } from '@countersign/inbox-ui/ui/json-view';
import { Anchor, CloseButton, Group, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { useFocusTrap, useMediaQuery, useMergedRef } from '@mantine/hooks';
import type { RunEvent, Step } from '@countersign/contract';
import { useEffect, useMemo, useRef, type KeyboardEvent } from 'react';
import { Link } from 'react-router';
import { texts } from '../../texts/index.js';
import { Disclosure } from '../../ui/disclosure.js';
import { ValueView } from '../../ui/value-view.js';
import { useRunEvents } from '../events/use-run-events.js';
import type { ShownRun } from '../shown-run.js';
import { useRunAddress } from '../use-run-address.js';
import type { SnapshotStatus } from '../use-run.js';
import { elementTypeLabel } from '../../ui/element-type-label.js';
import { AgentWorkPanel } from './agent-work-panel.js';
import { failedAttempts } from './failed-attempts.js';
import { PolicyPanel } from './policy-panel.js';
import { Section } from './section.js';
import { StepError } from './step-error.js';
import { eventsOfStep, inputsOf } from './step-inputs.js';
import './step-drawer.css';

const t = texts.step;

interface StepDrawerProps {
  /** In time travel, with the steps of that time. */
  readonly run: ShownRun;
  readonly stepId: string;
  readonly moment: SnapshotStatus;
  onClose(): void;
}

/** Shows everything about one step beside the page. Escape closes it and returns the focus. */
export function StepDrawer({ run, stepId, moment, onClose }: StepDrawerProps) {
  const panel = useRef<HTMLElement>(null);
  const step = run.steps.find((each) => each.stepId === stepId);
  useReturnedFocus(panel);
  // In a small window the drawer covers the page: focus cannot reach the page until the drawer closes.
  const covers = useMediaQuery('(max-width: 61.99em)', undefined, { getInitialValueInEffect: false }) === true;
  const trap = useFocusTrap(covers);
  const ref = useMergedRef(panel, trap);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.stopPropagation();
    onClose();
  };
  const name = step?.name ?? step?.elementId ?? '';
  return (
    <section
      ref={ref}
      className="cs-step-drawer"
      role="dialog"
      aria-modal={covers || undefined}
      aria-label={t.label(name)}
      aria-busy={moment === 'loading'}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <Group justify="space-between" wrap="nowrap" align="flex-start" mb="xs">
        <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Title>
        <CloseButton aria-label={t.close} onClick={onClose} />
      </Group>
      {moment !== 'there' && <Text size="sm">{texts.timeTravel[moment]}</Text>}
      <div className="cs-moment" data-of-another={moment !== 'there'}>
        {step === undefined ? <EmptyState title={t.gone} /> : <StepContent key={step.stepId} run={run} step={step} />}
      </div>
    </section>
  );
}

function StepContent({ run, step }: { readonly run: ShownRun; readonly step: Step }) {
  const [{ at }, change] = useRunAddress();
  const same = useMemo(
    () => run.steps.filter(({ elementId }) => elementId === step.elementId),
    [run.steps, step.elementId],
  );
  const { events, complete } = useRunEvents(run.runId);
  const own = useMemo(() => eventsOfStep(events, step.stepId, at), [events, step.stepId, at]);
  const inputs = useMemo(() => inputsOf(own), [own]);
  return (
    <Stack gap="md">
      {same.length > 1 && (
        <NativeSelect
          size="xs"
          label={t.entries}
          value={step.stepId}
          onChange={(event) => change({ step: event.currentTarget.value })}
          data={same.map(({ stepId, iteration, status }) => ({
            value: stepId,
            label: t.entry(iteration, texts.stepStatus[status]),
          }))}
        />
      )}
      <Facts
        facts={[
          [
            t.type,
            <Group key="type" gap={8}>
              {elementTypeLabel(step.type)}
              <StepStatusBadge status={step.status} />
            </Group>,
          ],
          [t.element, <code key="element">{step.elementId}</code>],
          [t.started, <Timestamp key="started" at={step.startedAt} />],
          [t.duration, <StepDuration key="duration" step={step} runNow={run.now} />],
          [t.attempt, step.attempt > 1 ? step.attempt : undefined],
          [t.agent, step.agentName],
          [
            t.calledRun,
            step.calledRunId === null ? undefined : (
              <Anchor key="called" component={Link} size="sm" to={`/runs/${step.calledRunId}`}>
                {texts.run.children.open}
              </Anchor>
            ),
          ],
          [
            t.id,
            <Group key="id" gap={2} wrap="nowrap">
              <code>{step.stepId}</code>
              <CopyButton text={() => step.stepId} label={t.copyId} />
            </Group>,
          ],
        ]}
      />
      {step.error !== null && <StepError error={step.error} willRetry={step.status === 'active'} />}
      <FailedAttempts events={own} />
      {step.agentName !== null && (
        <AgentWorkPanel
          runId={run.runId}
          stepId={step.stepId}
          goesBeyond={at !== undefined && step.completedAt === null}
        />
      )}
      <Section title={t.output}>
        {step.output === null ? (
          <Text size="sm" c="dimmed">
            {t.noOutput}
          </Text>
        ) : (
          <ValueView value={step.output} label={t.output} maxHeight={300} />
        )}
      </Section>
      {inputs !== undefined && (
        <Section title={t.inputs}>
          <ValueView value={inputs} label={t.inputs} maxHeight={300} />
        </Section>
      )}
      {inputs === undefined && complete && step.policyDecision !== null && (
        <Section title={t.inputs}>
          <Text size="sm" c="dimmed">
            {t.noInputs}
          </Text>
        </Section>
      )}
      {step.policyDecision !== null && <PolicyPanel decision={step.policyDecision} />}
      <Disclosure title={t.raw}>{() => <JsonView value={step as never} label={t.raw} depth={1} />}</Disclosure>
    </Stack>
  );
}

function StepDuration({
  step: { startedAt, completedAt },
  runNow,
}: {
  readonly step: Step;
  readonly runNow: ShownRun['now'];
}) {
  const clock = useNow();
  const took = formatDuration(
    (completedAt === null ? (runNow ?? clock) : Date.parse(completedAt)) - Date.parse(startedAt),
  );
  return completedAt === null ? `${took} ${t.soFar}` : took;
}

function FailedAttempts({ events }: { readonly events: readonly RunEvent[] }) {
  const failed = useMemo(() => failedAttempts(events), [events]);
  if (failed.length === 0) return null;
  return (
    <Section title={t.attempts}>
      <Stack gap={4} component="ul" m={0} pl="md">
        {failed.slice(-20).map(({ seq, at, attempt, code, message }) => (
          <Text key={seq} size="sm" component="li" style={{ overflowWrap: 'anywhere' }}>
            <b>{t.attemptFailed(attempt === undefined ? '?' : String(attempt), code)}</b> {message}{' '}
            <Text component="span" size="xs" c="dimmed">
              <Timestamp at={at} />
            </Text>
          </Text>
        ))}
      </Stack>
    </Section>
  );
}

/** Takes the focus on opening and returns it on closing, unless the focus has moved elsewhere. */
function useReturnedFocus(panel: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const before = document.activeElement;
    const element = panel.current;
    element?.focus({ preventScroll: true });
    return () => {
      const holds = document.activeElement === document.body || element?.contains(document.activeElement) === true;
      if (holds && before instanceof HTMLElement) requestAnimationFrame(() => before.isConnected && before.focus());
    };
  }, [panel]);
}
