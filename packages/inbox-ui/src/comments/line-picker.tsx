import { Button, Group, NumberInput, SegmentedControl } from '@mantine/core';
import { IconMessagePlus } from '@tabler/icons-react';
import { useRef, useState, type ReactNode } from 'react';
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
  renderForm(line: ChosenLine & { readonly file: undefined }, quote: string, close: () => void): ReactNode;
}

/** Asks for the number of a line, and shows the form for a comment on it. */
export function LinePicker({ file, findText, renderForm }: LinePickerProps) {
  const [isOpened, setIsOpened] = useState(false);
  const [side, setSide] = useState<LinePlace['side']>('after');
  const [input, setInput] = useState<number | string>('');
  const button = useRef<HTMLButtonElement>(null);
  const t = texts.comments.picker;
  const label = file === undefined ? undefined : t.openIn(toOneLine(file, MAX_FILE_LENGTH));
  const close = (): void => {
    setIsOpened(false);
    setInput('');
    requestAnimationFrame(() => button.current?.focus());
  };
  const number = typeof input === 'number' ? input : undefined;
  const quote = number === undefined ? undefined : findText(side, number);
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
  return (
    <div className="cs-line-picker" role="group" aria-label={label ?? t.open}>
      <Group gap="xs" mb={6}>
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
          onChange={setInput}
          autoFocus
          error={number !== undefined && quote === undefined ? t.noLine : undefined}
        />
        <SegmentedControl
          size="xs"
          aria-label={t.side}
          value={side}
          onChange={(value) => setSide(value as LinePlace['side'])}
          data={[
            { value: 'after', label: texts.approvals.after },
            { value: 'before', label: texts.approvals.before },
          ]}
        />
        {quote === undefined && (
          <Button variant="default" size="xs" onClick={close}>
            {texts.comments.cancel}
          </Button>
        )}
      </Group>
      {number !== undefined && quote !== undefined && renderForm({ side, number, file: undefined }, quote, close)}
    </div>
  );
}
