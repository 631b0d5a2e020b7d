import { formatDuration } from '@countersign/inbox-ui/time/format-time';
import { Timestamp } from '@countersign/inbox-ui/time/timestamp';
import { ActionIcon, Alert, Button, Group, Text, Tooltip } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import type { RunDetail, RunState } from '@countersign/contract';
import { IconChevronLeft, IconChevronRight, IconHistory, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useEffect, useMemo, useState, type KeyboardEvent, type ReactNode } from 'react';
import { texts } from '../../texts/index.js';
import { elementNames, sentenceOf } from '../events/event-sentences.js';
import { useRunEvents } from '../events/use-run-events.js';
import { StateVariables } from './state-variables.js';
import { useNeighbours } from './use-neighbours.js';
import { useThrottled } from './use-throttled.js';
import './time-travel.css';

const t = texts.timeTravel;
/** Browsers allow about 200 address changes in 30 seconds. */
const ADDRESS_MS = 160;
const PLAY_MS = 700;
const PAGE = 10;

interface TimeTravelProps {
  readonly run: RunDetail;
  /** Sequence number of the run event whose state is shown; if left out, the current state. */
  readonly at: number | undefined;
  /** Past state of the run, once it is loaded. */
  readonly state: RunState | undefined;
  onAt(at: number | undefined): void;
}

/**
 * Moves the page through the events of the run. On opening or leaving, the focus moves to the control that replaces
 * this one.
 */
export function TimeTravel(props: TimeTravelProps) {
  const [opened, setOpened] = useState(false);
  const [left, setLeft] = useState(false);
  if (!opened && props.at === undefined) {
    return (
      <Group mt="xs">
        <Button
          size="xs"
          variant="subtle"
          leftSection={<IconHistory size={16} aria-hidden />}
          autoFocus={left}
          onClick={() => setOpened(true)}
        >
          {t.open}
        </Button>
      </Group>
    );
  }
  const back = (): void => {
    setOpened(false);
    setLeft(true);
  };
  return <Scrubber {...props} asked={opened} onBack={back} />;
}

interface ScrubberProps extends TimeTravelProps {
  /** Whether it was opened by its button, not by an address. */
  readonly asked: boolean;
  onBack(): void;
}

function Scrubber({ run, at, state, asked, onAt, onBack }: ScrubberProps) {
  const { events } = useRunEvents(run.runId);
  const reduced = useReducedMotion();
  const [playing, setPlaying] = useState(false);
  /** Position of the slider, ahead of the state that is shown. */
  const [dragged, setDragged] = useState<number>();
  const names = useMemo(() => elementNames(run.steps), [run.steps]);
  // The number of events is known only with the first state; the requested one may be beyond it.
  const last = Math.max(events.length, state?.lastSeq ?? at ?? 1);
  const place = Math.min(dragged ?? at ?? last, last);
  const event = events[place - 1] ?? (state?.at === place ? state.event : undefined);
  const sentence = event === undefined ? t.loading : sentenceOf(event, names);
  const go = useThrottled(onAt, ADDRESS_MS);
  const moveTo = (to: number): void => {
    const bounded = Math.max(1, Math.min(last, to));
    setDragged(bounded);
    go(bounded);
  };
  const step = (by: number): void => {
    setPlaying(false);
    moveTo(place + by);
  };
  const shown = state !== undefined && state.at === place;
  useNeighbours(run.runId, shown ? place : undefined, last);

  // Once the address has the position of the slider, the address takes over again.
  useEffect(() => {
    if (at === dragged) setDragged(undefined);
  }, [at, dragged]);
  useEffect(() => {
    if (!playing || !shown) return undefined;
    if (place >= last) {
      setPlaying(false);
      return undefined;
    }
    const timer = setTimeout(() => onAt(place + 1), PLAY_MS);
    return () => clearTimeout(timer);
  }, [playing, shown, place, last, onAt]);

  const onKeyDown = (key: KeyboardEvent): void => {
    const by: Readonly<Record<string, number>> = {
      ArrowLeft: -1,
      ArrowDown: -1,
      ArrowRight: 1,
      ArrowUp: 1,
      PageDown: -PAGE,
      PageUp: PAGE,
      Home: -last,
      End: last,
    };
    const wanted = by[key.key];
    if (wanted === undefined || key.altKey || key.ctrlKey || key.metaKey) return;
    key.preventDefault();
    step(wanted);
  };
  const toggle = (): void => {
    setPlaying(!playing);
    if (!playing) onAt(place);
  };
  const back = (): void => {
    setPlaying(false);
    setDragged(undefined);
    // Through the same throttle as the moves before, so that none of them arrives later.
    go(undefined);
    onBack();
  };

  return (
    <section className="cs-scrubber" aria-label={t.label}>
      <div className="cs-scrubber-bar">
        <Step label={t.previous} disabled={place <= 1} onClick={() => step(-1)}>
          <IconChevronLeft size={18} aria-hidden />
        </Step>
        {!reduced && (
          <Step label={playing ? t.pause : t.play} disabled={place >= last && !playing} onClick={toggle}>
            {playing ? <IconPlayerPause size={16} aria-hidden /> : <IconPlayerPlay size={16} aria-hidden />}
          </Step>
        )}
        <Step label={t.next} disabled={place >= last} onClick={() => step(1)}>
          <IconChevronRight size={18} aria-hidden />
        </Step>
        <input
          className="cs-scrubber-slider"
          type="range"
          min={1}
          max={last}
          value={place}
          autoFocus={asked}
          aria-label={t.slider}
          aria-valuetext={t.valueText(place, last, sentence)}
          onKeyDown={onKeyDown}
          onChange={(change) => {
            setPlaying(false);
            moveTo(Number(change.currentTarget.value));
          }}
        />
        <Text size="xs" c="dimmed" className="cs-scrubber-place">
          {t.position(place, last)}
        </Text>
        <Button size="xs" variant="light" onClick={back}>
          {t.now}
        </Button>
      </div>
      <Group gap="xs" wrap="nowrap" mt={4} aria-busy={at !== undefined && !shown}>
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
        <div aria-busy={!shown} className="cs-moment">
          <StateVariables runId={run.runId} state={state} />
        </div>
      )}
    </section>
  );
}

interface StepProps {
  readonly label: string;
  readonly disabled: boolean;
  readonly children: ReactNode;
  onClick(): void;
}

function Step({ label, disabled, children, onClick }: StepProps) {
  return (
    <Tooltip label={label} openDelay={300}>
      <ActionIcon variant="default" size={28} aria-label={label} disabled={disabled} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
