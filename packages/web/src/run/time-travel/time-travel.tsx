import { formatDuration } from '@countersign/inbox-ui/time/format-time';
import { Timestamp } from '@countersign/inbox-ui/time/timestamp';
import { ActionIcon, Alert, Button, Group, Text, Tooltip } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import type { RunDetail, RunState } from '@countersign/contract';
import { IconChevronLeft, IconChevronRight, IconHistory, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useEffect, useMemo, useState, type KeyboardEvent, type ReactNode } from 'react';
import { texts } from '../../texts/index.js';
import { getElementNames, describeEvent } from '../events/describe-event.js';
import { useRunEvents } from '../events/use-run-events.js';
import { StateVariables } from './state-variables.js';
import { usePrefetchStates } from './use-prefetch-states.js';
import { useThrottledCallback } from './use-throttled-callback.js';
import './time-travel.css';

const t = texts.timeTravel;
/** Minimum interval between URL changes: browsers allow about 200 changes in 30 seconds. */
const URL_UPDATE_INTERVAL_MS = 160;
const PLAY_INTERVAL_MS = 700;
const PAGE_STEP = 10;

interface TimeTravelProps {
  readonly run: RunDetail;
  /** Sequence number of the run event whose state is shown; `undefined` for the current state. */
  readonly at: number | undefined;
  /** Past state of the run, once it is loaded. */
  readonly state: RunState | undefined;
  onAtChange(at: number | undefined): void;
}

/**
 * Moves the page through the past states of the run. When time travel opens or closes, the focus moves to the control
 * that replaces the previous one.
 */
export function TimeTravel(props: TimeTravelProps) {
  const [opened, setOpened] = useState(false);
  const [hasClosed, setHasClosed] = useState(false);
  if (!opened && props.at === undefined) {
    return (
      <Group mt="xs">
        <Button
          size="xs"
          variant="subtle"
          leftSection={<IconHistory size={16} aria-hidden />}
          autoFocus={hasClosed}
          onClick={() => setOpened(true)}
        >
          {t.open}
        </Button>
      </Group>
    );
  }
  const close = (): void => {
    setOpened(false);
    setHasClosed(true);
  };
  return <Scrubber {...props} isOpenedByButton={opened} onBack={close} />;
}

interface ScrubberProps extends TimeTravelProps {
  /** Whether the user opened time travel with the button, not with a URL. */
  readonly isOpenedByButton: boolean;
  onBack(): void;
}

function Scrubber({ run, at, state, isOpenedByButton, onAtChange, onBack }: ScrubberProps) {
  const { events } = useRunEvents(run.runId);
  const prefersReducedMotion = useReducedMotion();
  const [playing, setPlaying] = useState(false);
  /** Position to which the user moved the slider, until the URL contains it. */
  const [draggedPosition, setDraggedPosition] = useState<number>();
  const names = useMemo(() => getElementNames(run.steps), [run.steps]);
  // The number of events is unknown until a state is loaded; the requested event may not exist.
  const lastSeq = Math.max(events.length, state?.lastSeq ?? at ?? 1);
  const position = Math.min(draggedPosition ?? at ?? lastSeq, lastSeq);
  const event = events[position - 1] ?? (state?.at === position ? state.event : undefined);
  const sentence = event === undefined ? t.loading : describeEvent(event, names);
  const updateAddress = useThrottledCallback(onAtChange, URL_UPDATE_INTERVAL_MS);
  const moveTo = (target: number): void => {
    const boundedPosition = Math.max(1, Math.min(lastSeq, target));
    setDraggedPosition(boundedPosition);
    updateAddress(boundedPosition);
  };
  const moveBy = (delta: number): void => {
    setPlaying(false);
    moveTo(position + delta);
  };
  const isStateLoaded = state !== undefined && state.at === position;
  usePrefetchStates(run.runId, isStateLoaded ? position : undefined, lastSeq);

  // Once the URL contains the position of the slider, the slider follows the URL again.
  useEffect(() => {
    if (at === draggedPosition) setDraggedPosition(undefined);
  }, [at, draggedPosition]);
  useEffect(() => {
    if (!playing || !isStateLoaded) return undefined;
    if (position >= lastSeq) {
      setPlaying(false);
      return undefined;
    }
    const timer = setTimeout(() => onAtChange(position + 1), PLAY_INTERVAL_MS);
    return () => clearTimeout(timer);
  }, [playing, isStateLoaded, position, lastSeq, onAtChange]);

  const onKeyDown = (keyEvent: KeyboardEvent): void => {
    const deltaByKey: Readonly<Record<string, number>> = {
      ArrowLeft: -1,
      ArrowDown: -1,
      ArrowRight: 1,
      ArrowUp: 1,
      PageDown: -PAGE_STEP,
      PageUp: PAGE_STEP,
      Home: -lastSeq,
      End: lastSeq,
    };
    const delta = deltaByKey[keyEvent.key];
    if (delta === undefined || keyEvent.altKey || keyEvent.ctrlKey || keyEvent.metaKey) return;
    keyEvent.preventDefault();
    moveBy(delta);
  };
  const togglePlaying = (): void => {
    setPlaying(!playing);
    if (!playing) onAtChange(position);
  };
  const returnToPresent = (): void => {
    setPlaying(false);
    setDraggedPosition(undefined);
    // Uses the same throttle as the moves, so that no delayed move overwrites this change.
    updateAddress(undefined);
    onBack();
  };

  return (
    <section className="cs-scrubber" aria-label={t.label}>
      <div className="cs-scrubber-bar">
        <ScrubberButton label={t.previous} disabled={position <= 1} onClick={() => moveBy(-1)}>
          <IconChevronLeft size={18} aria-hidden />
        </ScrubberButton>
        {!prefersReducedMotion && (
          <ScrubberButton
            label={playing ? t.pause : t.play}
            disabled={position >= lastSeq && !playing}
            onClick={togglePlaying}
          >
            {playing ? <IconPlayerPause size={16} aria-hidden /> : <IconPlayerPlay size={16} aria-hidden />}
          </ScrubberButton>
        )}
        <ScrubberButton label={t.next} disabled={position >= lastSeq} onClick={() => moveBy(1)}>
          <IconChevronRight size={18} aria-hidden />
        </ScrubberButton>
        <input
          className="cs-scrubber-slider"
          type="range"
          min={1}
          max={lastSeq}
          value={position}
          autoFocus={isOpenedByButton}
          aria-label={t.slider}
          aria-valuetext={t.valueText(position, lastSeq, sentence)}
          onKeyDown={onKeyDown}
          onChange={(changeEvent) => {
            setPlaying(false);
            moveTo(Number(changeEvent.currentTarget.value));
          }}
        />
        <Text size="xs" c="dimmed" className="cs-scrubber-place">
          {t.position(position, lastSeq)}
        </Text>
        <Button size="xs" variant="light" onClick={returnToPresent}>
          {t.now}
        </Button>
      </div>
      <Group gap="xs" wrap="nowrap" mt={4} aria-busy={at !== undefined && !isStateLoaded}>
        <Text size="sm" className="cs-scrubber-sentence">
          {sentence}
        </Text>
        {event !== undefined && (
          <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
            <Timestamp at={event.at} /> · {t.after(formatDuration(Date.parse(event.at) - Date.parse(run.startedAt)))}
          </Text>
        )}
      </Group>
      {at !== undefined && state !== undefined && state.gap !== null && (
        <Alert color="yellow" title={t.gap(state.gap.seq)} mt="xs">
          {state.gap.message}
        </Alert>
      )}
      {at !== undefined && state !== undefined && (
        <div aria-busy={!isStateLoaded} className="cs-moment">
          <StateVariables runId={run.runId} state={state} />
        </div>
      )}
    </section>
  );
}

interface ScrubberButtonProps {
  readonly label: string;
  readonly disabled: boolean;
  readonly children: ReactNode;
  onClick(): void;
}

function ScrubberButton({ label, disabled, children, onClick }: ScrubberButtonProps) {
  return (
    <Tooltip label={label} openDelay={300}>
      <ActionIcon variant="default" size={28} aria-label={label} disabled={disabled} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
