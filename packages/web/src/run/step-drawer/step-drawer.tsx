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
import type { DisplayedRun } from '../displayed-run.js';
import { useRunAddress } from '../use-run-address.js';
import type { PastStateStatus } from '../use-run.js';
import { getElementTypeLabel } from '../../ui/element-type-label.js';
import { AgentWorkPanel } from './agent-work-panel.js';
import { findFailedAttempts } from './find-failed-attempts.js';
import { PolicyDecisionSection } from './policy-panel.js';
import { Section } from './section.js';
import { StepError } from './step-error.js';
import { filterStepEvents, findStepInputs } from './step-inputs.js';
import './step-drawer.css';

const t = texts.step;

interface StepDrawerProps {
  /** Run in the state that is shown, which is a past state in time travel. */
  readonly run: DisplayedRun;
  readonly stepId: string;
  readonly pastStateStatus: PastStateStatus;
  onClose(): void;
}

/** Shows the details of a step in a drawer beside the page. Escape closes the drawer and returns the focus. */
export function StepDrawer({ run, stepId, pastStateStatus, onClose }: StepDrawerProps) {
  const panelRef = useRef<HTMLElement>(null);
  const step = run.steps.find((each) => each.stepId === stepId);
  useFocusReturn(panelRef);
  // In a small window, the drawer covers the page, so the focus is trapped in the drawer until it closes.
  const coversPage = useMediaQuery('(max-width: 61.99em)', undefined, { getInitialValueInEffect: false }) === true;
  const trapRef = useFocusTrap(coversPage);
  const ref = useMergedRef(panelRef, trapRef);
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
      aria-modal={coversPage || undefined}
      aria-label={t.label(name)}
      aria-busy={pastStateStatus === 'loading'}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <Group justify="space-between" wrap="nowrap" align="flex-start" mb="xs">
        <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Title>
        <CloseButton aria-label={t.close} onClick={onClose} />
      </Group>
      {pastStateStatus !== 'loaded' && <Text size="sm">{texts.timeTravel[pastStateStatus]}</Text>}
      <div className="cs-moment" data-of-another={pastStateStatus !== 'loaded'}>
        {step === undefined ? (
          <EmptyState title={t.notFound} />
        ) : (
          <StepContent key={step.stepId} run={run} step={step} />
        )}
      </div>
    </section>
  );
}

function StepContent({ run, step }: { readonly run: DisplayedRun; readonly step: Step }) {
  const [{ at }, changeAddress] = useRunAddress();
  const stepEntries = useMemo(
    () => run.steps.filter(({ elementId }) => elementId === step.elementId),
    [run.steps, step.elementId],
  );
  const { events, complete } = useRunEvents(run.runId);
  const stepEvents = useMemo(() => filterStepEvents(events, step.stepId, at), [events, step.stepId, at]);
  const inputs = useMemo(() => findStepInputs(stepEvents), [stepEvents]);
  return (
    <Stack gap="md">
      {stepEntries.length > 1 && (
        <NativeSelect
          size="xs"
          label={t.entries}
          value={step.stepId}
          onChange={(event) => changeAddress({ step: event.currentTarget.value })}
          data={stepEntries.map(({ stepId, iteration, status }) => ({
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
              {getElementTypeLabel(step.type)}
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
      <FailedAttempts events={stepEvents} />
      {step.agentName !== null && (
        <AgentWorkPanel
          runId={run.runId}
          stepId={step.stepId}
          includesLaterTurns={at !== undefined && step.completedAt === null}
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
      {step.policyDecision !== null && <PolicyDecisionSection decision={step.policyDecision} />}
      <Disclosure title={t.raw}>{() => <JsonView value={step as never} label={t.raw} depth={1} />}</Disclosure>
    </Stack>
  );
}

function StepDuration({
  step: { startedAt, completedAt },
  runNow,
}: {
  readonly step: Step;
  readonly runNow: DisplayedRun['now'];
}) {
  const now = useNow();
  const duration = formatDuration(
    (completedAt === null ? (runNow ?? now) : Date.parse(completedAt)) - Date.parse(startedAt),
  );
  return completedAt === null ? `${duration} ${t.soFar}` : duration;
}

function FailedAttempts({ events }: { readonly events: readonly RunEvent[] }) {
  const attempts = useMemo(() => findFailedAttempts(events), [events]);
  if (attempts.length === 0) return null;
  return (
    <Section title={t.attempts}>
      <Stack gap={4} component="ul" m={0} pl="md">
        {attempts.slice(-20).map(({ seq, at, attempt, code, message }) => (
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

/** Moves the focus to the panel on opening and returns it on closing, unless the focus has moved out of the panel. */
function useFocusReturn(panel: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const previousFocus = document.activeElement;
    const element = panel.current;
    element?.focus({ preventScroll: true });
    return () => {
      const hasFocus = document.activeElement === document.body || element?.contains(document.activeElement) === true;
      if (hasFocus && previousFocus instanceof HTMLElement)
        requestAnimationFrame(() => previousFocus.isConnected && previousFocus.focus());
    };
  }, [panel]);
}
