import { formatUtcOffset, getUtcOffset } from '@countersign/contract';
import { Radio, Stack, TextInput, type TextInputProps } from '@mantine/core';
import { texts } from '../texts/index.js';
import { formatLocalText, formatMinute } from './format-time.js';
import { parseMomentInput, type EnteredMoment, type MomentInput } from './moment-input.js';

const t = texts.time.typed;

interface MomentFieldProps extends Pick<TextInputProps, 'label' | 'description' | 'required' | 'error' | 'flex'> {
  readonly input: MomentInput;
  readonly autofocus?: boolean;
  onInput(input: MomentInput): void;
}

/** Field in which users enter a moment as local time. Offers a choice if the local time occurs twice. */
export function MomentField({ input, autofocus = false, error, flex, onInput, ...labels }: MomentFieldProps) {
  const parsedMoment = parseMomentInput(input);
  return (
    <Stack gap="xs" aria-live="polite" {...(flex !== undefined && { flex })}>
      <TextInput
        type="datetime-local"
        {...labels}
        value={input.text}
        error={momentError(parsedMoment, input.text) ?? error}
        onChange={(event) => onInput({ ...input, text: event.currentTarget.value })}
        {...(autofocus && { 'data-autofocus': true })}
      />
      {parsedMoment.kind === 'moment' && parsedMoment.possibleMoments.length > 1 && (
        <MomentChoice input={input} entered={parsedMoment} onInput={onInput} />
      )}
    </Stack>
  );
}

interface MomentChoiceProps extends Pick<MomentFieldProps, 'input' | 'onInput'> {
  readonly entered: Extract<EnteredMoment, { kind: 'moment' }>;
}

function MomentChoice({ input, entered: { at: chosenAt, possibleMoments }, onInput }: MomentChoiceProps) {
  const time = input.text.slice('yyyy-mm-ddT'.length);
  return (
    <Radio.Group
      label={t.twice(time)}
      value={String(getUtcOffset(chosenAt))}
      onChange={(offset) => onInput({ ...input, offset: Number(offset) })}
    >
      <Stack gap="xs" mt="xs">
        {possibleMoments.map((at, index) => (
          <Radio
            key={at}
            value={String(getUtcOffset(at))}
            label={(index === 0 ? t.first : t.second)(`${time} ${formatUtcOffset(at)}`)}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}

function momentError(entered: EnteredMoment, text: string): string | undefined {
  if (entered.kind === 'invalid') return t.invalid;
  if (entered.kind !== 'skipped') return undefined;
  const next = formatMinute(new Date(entered.next).toISOString(), 'local');
  return t.skipped(formatLocalText(text), `${next} ${formatUtcOffset(entered.next)}`);
}
