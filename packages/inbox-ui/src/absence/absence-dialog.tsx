import { Button, Text, TextInput } from '@mantine/core';
import type { Absence } from '@countersign/contract';
import { useState } from 'react';
import { AssignDialog } from '../inbox/assign-dialogs.js';
import { texts } from '../texts/index.js';
import { MomentField } from '../time/moment-field.js';
import { isOptionalMoment, NO_MOMENT, readMoment, showMoment } from '../time/moment-input.js';
import { ProblemNotice } from '../ui/problem-notice.js';
import { useMyAbsence } from './use-my-absence.js';

const t = texts.absence;

interface AbsenceDialogProps {
  readonly opened: boolean;
  onClose(): void;
}

/** Form that sets the user's absence period and substitute, or ends the absence. */
export function AbsenceDialog({ opened, onClose }: AbsenceDialogProps) {
  return opened ? <OpenDialog onClose={onClose} /> : null;
}

function OpenDialog({ onClose }: Pick<AbsenceDialogProps, 'onClose'>) {
  const { absence, error, set, end } = useMyAbsence();
  // The fields start with the current absence, so they wait until it is loaded.
  if (absence === undefined)
    return (
      <AssignDialog
        opened
        title={t.title}
        sendLabel={t.save}
        ready={false}
        onClose={onClose}
        onSend={() => Promise.resolve()}
      >
        {error !== null && <ProblemNotice error={error} />}
      </AssignDialog>
    );
  return <Form absence={absence} set={set} end={end} onClose={onClose} />;
}

interface FormProps extends Pick<ReturnType<typeof useMyAbsence>, 'set' | 'end'> {
  readonly absence: Absence | null;
  onClose(): void;
}

function Form({ absence: found, set, end, onClose }: FormProps) {
  // The absence when the dialog was opened: a concurrent change must not overwrite what the user types.
  const [absence] = useState(found);
  const isAhead = absence !== null && Date.parse(absence.from) > Date.now();
  const [from, setFrom] = useState(isAhead ? showMoment(absence.from) : NO_MOMENT);
  const [until, setUntil] = useState(absence === null ? NO_MOMENT : showMoment(absence.until));
  const [substitute, setSubstitute] = useState(absence?.substitute ?? '');
  const [begin, over] = [readMoment(from), readMoment(until)];
  // For a current absence the start field is empty, which means now.
  const isUnchanged =
    found !== null &&
    over.kind === 'moment' &&
    over.at === Date.parse(found.until) &&
    (begin.kind === 'moment' ? begin.at === Date.parse(found.from) : Date.parse(found.from) <= Date.now()) &&
    substitute.trim() === (found.substitute ?? '');
  const send = async (): Promise<void> => {
    if (over.kind !== 'moment' || isUnchanged) return;
    await set({
      until: new Date(over.at).toISOString(),
      ...(begin.kind === 'moment' ? { from: new Date(begin.at).toISOString() } : {}),
      ...(substitute.trim() === '' ? {} : { substitute: substitute.trim() }),
    });
  };
  return (
    <AssignDialog
      opened
      title={t.title}
      sendLabel={t.save}
      ready={over.kind === 'moment' && isOptionalMoment(begin)}
      onClose={onClose}
      onSend={send}
      other={
        absence === null
          ? undefined
          : (act, busy) => (
              <Button variant="default" disabled={busy} onClick={() => act(end)}>
                {isAhead ? t.notAway : t.back}
              </Button>
            )
      }
    >
      <Text size="sm">{t.hint}</Text>
      <MomentField label={t.from} description={t.fromHint} input={from} onInput={setFrom} />
      <MomentField label={t.until} required input={until} autofocus onInput={setUntil} />
      <TextInput
        label={t.substitute}
        description={t.substituteHint}
        value={substitute}
        maxLength={255}
        onChange={(event) => setSubstitute(event.currentTarget.value)}
      />
    </AssignDialog>
  );
}
