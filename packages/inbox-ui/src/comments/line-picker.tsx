import { Button, Group, NumberInput, SegmentedControl } from '@mantine/core';
import { IconMessagePlus } from '@tabler/icons-react';
import { useRef, useState, type FormEvent, type KeyboardEvent, type ReactNode } from 'react';
import { texts } from '../texts/index.js';
import type { LinePlace } from '../ui/line-notes.js';
import { toOneLine } from '../ui/to-one-line.js';

const MAX_FILE_LENGTH = 200;

type ChosenLine = Pick<LinePlace, 'side' | 'number'>;

interface LinePickerProps {
  /** The file whose lines can be chosen; a page may have a picker for each of several files. */
  readonly file: string | undefined;
  /** Returns a line; `undefined` if the text does not have it. */
  findText(side: LinePlace['side'], line: number): string | undefined;
  renderForm(line: ChosenLine, quote: string, close: (hasFocus: boolean) => void): ReactNode;
}

/** Asks for the number of a line, and then shows the form for a comment on it. */
export function LinePicker({ file, findText, renderForm }: LinePickerProps) {
  const [isOpened, setIsOpened] = useState(false);
  const [side, setSide] = useState<LinePlace['side']>('after');
  const [input, setInput] = useState<number | string>('');
  /** The line whose form is shown: not each number on the way to a longer one. */
  const [chosen, setChosen] = useState<ChosenLine>();
  const [isMissing, setIsMissing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const t = texts.comments.picker;
  const label = file === undefined ? undefined : t.openIn(toOneLine(file, MAX_FILE_LENGTH));
  const close = (hasFocus: boolean): void => {
    setIsOpened(false);
    setInput('');
    setChosen(undefined);
    setIsMissing(false);
    if (hasFocus) requestAnimationFrame(() => button.current?.focus());
  };
  if (!isOpened)
    return (
      <Button
        ref={button}
        variant="subtle"
        size="compact-xs"
        leftSection={<IconMessagePlus size={14} aria-hidden />}
        aria-label={label}
        onClick={() => setIsOpened(true)}
      >
        {t.open}
      </Button>
    );
  const quote = chosen && findText(chosen.side, chosen.number);
  if (chosen !== undefined && quote !== undefined)
    return (
      <div className="cs-line-picker" role="group" aria-label={label ?? t.open}>
        {renderForm(chosen, quote, close)}
      </div>
    );
  const choose = (event: FormEvent): void => {
    event.preventDefault();
    const number = typeof input === 'number' ? input : undefined;
    if (number === undefined || findText(side, number) === undefined) setIsMissing(true);
    else setChosen({ side, number });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    close(true);
  };
  return (
    <form className="cs-line-picker" aria-label={label ?? t.open} onSubmit={choose} onKeyDown={onKeyDown}>
      <Group gap="xs" mb={6} align="flex-start">
        <NumberInput
          size="xs"
          w={110}
          aria-label={t.number}
          placeholder={t.number}
          min={1}
          allowDecimal={false}
          allowNegative={false}
          hideControls
          value={input}
          onChange={(value) => {
            setInput(value);
            setIsMissing(false);
          }}
          autoFocus
          error={isMissing ? t.noLine : undefined}
        />
        <SegmentedControl
          size="xs"
          aria-label={t.side}
          value={side}
          onChange={(value) => {
            setSide(value as LinePlace['side']);
            setIsMissing(false);
          }}
          data={[
            { value: 'after', label: texts.approvals.after },
            { value: 'before', label: texts.approvals.before },
          ]}
        />
        <Button type="submit" size="xs">
          {t.choose}
        </Button>
        <Button variant="default" size="xs" onClick={() => close(true)}>
          {texts.comments.cancel}
        </Button>
      </Group>
    </form>
  );
}
