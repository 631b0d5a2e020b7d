import { Button, Text } from '@mantine/core';
import type { Absence } from '@countersign/contract';
import { useState } from 'react';
import { NamesDialog } from '../people/names-dialog.js';
import { UserField } from '../people/user-field.js';
import { useSession } from '../session/session.js';
import { texts } from '../texts/index.js';
import { MomentField } from '../time/moment-field.js';
import { isMomentOrEmpty, EMPTY_MOMENT_INPUT, parseMomentInput, toMomentInput } from '../time/moment-input.js';
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
  // The fields start with the current absence, so they are shown only after it is loaded.
  if (absence === undefined)
    return (
      <NamesDialog
        opened
        title={t.title}
        sendLabel={t.save}
        ready={false}
        names={{}}
        onClose={onClose}
        onSend={() => Promise.resolve()}
      >
        {error !== null && <ProblemNotice error={error} />}
      </NamesDialog>
    );
  return <AbsenceForm absence={absence} set={set} end={end} onClose={onClose} />;
}

interface AbsenceFormProps extends Pick<ReturnType<typeof useMyAbsence>, 'set' | 'end'> {
  readonly absence: Absence | null;
  onClose(): void;
}

function AbsenceForm({ absence: latestAbsence, set, end, onClose }: AbsenceFormProps) {
  const { me } = useSession();
  // The absence when the dialog was opened: a concurrent change must not overwrite what the user types.
  const [absence] = useState(latestAbsence);
  const isUpcoming = absence !== null && Date.parse(absence.from) > Date.now();
  const [from, setFrom] = useState(isUpcoming ? toMomentInput(absence.from) : EMPTY_MOMENT_INPUT);
  const [until, setUntil] = useState(absence === null ? EMPTY_MOMENT_INPUT : toMomentInput(absence.until));
  const [substitute, setSubstitute] = useState(absence?.substitute ?? '');
  const [parsedFrom, parsedUntil] = [parseMomentInput(from), parseMomentInput(until)];
  // For a current absence the start field is empty, which means now.
  const isUnchanged =
    latestAbsence !== null &&
    parsedUntil.kind === 'moment' &&
    parsedUntil.at === Date.parse(latestAbsence.until) &&
    (parsedFrom.kind === 'moment'
      ? parsedFrom.at === Date.parse(latestAbsence.from)
      : Date.parse(latestAbsence.from) <= Date.now()) &&
    substitute.trim() === (latestAbsence.substitute ?? '');
  const send = async (allowUnknown: boolean): Promise<void> => {
    if (parsedUntil.kind !== 'moment' || isUnchanged) return;
    await set({
      until: new Date(parsedUntil.at).toISOString(),
      ...(parsedFrom.kind === 'moment' ? { from: new Date(parsedFrom.at).toISOString() } : {}),
      ...(substitute.trim() === '' ? {} : { substitute: substitute.trim() }),
      ...(allowUnknown ? { allowUnknown } : {}),
    });
  };
  return (
    <NamesDialog
      opened
      title={t.title}
      sendLabel={t.save}
      ready={parsedUntil.kind === 'moment' && isMomentOrEmpty(parsedFrom)}
      names={{ substitute: substitute.trim() }}
      onClose={onClose}
      onSend={send}
      otherAction={
        absence === null
          ? undefined
          : (performAction, busy) => (
              <Button variant="default" disabled={busy} onClick={() => performAction(end)}>
                {isUpcoming ? t.notAway : t.back}
              </Button>
            )
      }
    >
      <Text size="sm">{t.hint}</Text>
      <MomentField label={t.from} description={t.fromHint} input={from} onInput={setFrom} />
      <MomentField label={t.until} required input={until} autofocus onInput={setUntil} />
      <UserField
        label={t.substitute}
        description={t.substituteHint}
        value={substitute}
        onChange={setSubstitute}
        isHidden={({ id }) => id === me.subject}
      />
    </NamesDialog>
  );
}
