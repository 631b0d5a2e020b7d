import { Input, Modal, Text } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { Keys } from '../keys/keys-help.js';
import { texts } from '../texts/index.js';
import { rankItems, type PaletteItem } from './rank-items.js';
import './palette.css';

const t = texts.palette;

interface PaletteProps {
  readonly opened: boolean;
  onClose(): void;
  readonly placeholder: string;
  readonly query: string;
  onQuery(query: string): void;
  /** All items; those that match the query are displayed. */
  readonly items: readonly PaletteItem[];
}

/**
 * Command palette with all available actions by name: a field with a list that follows the input (ARIA: combobox).
 * Opens without a transition.
 */
export function Palette({ opened, onClose, ...rest }: PaletteProps) {
  const previousFocus = useRef<Element>(null);
  const [wasOpened, setWasOpened] = useState(opened);
  if (opened !== wasOpened) {
    if (opened) previousFocus.current = document.activeElement;
    setWasOpened(opened);
  }
  /** Restores the focus before the action runs, so that the action runs as if it had been started with its key. */
  const closePalette = (afterClose?: () => void): void => {
    flushSync(onClose);
    if (previousFocus.current instanceof HTMLElement && previousFocus.current.isConnected)
      previousFocus.current.focus();
    afterClose?.();
  };
  return (
    <Modal.Root
      opened={opened}
      onClose={() => closePalette()}
      size={600}
      yOffset="10vh"
      transitionProps={{ duration: 0 }}
      returnFocus={false}
    >
      <Modal.Overlay backgroundOpacity={0.35} />
      <Modal.Content aria-label={t.label} className="cs-palette">
        {opened && <PaletteContent {...rest} onRun={(item) => closePalette(() => item.run())} />}
      </Modal.Content>
    </Modal.Root>
  );
}

function PaletteContent({
  placeholder,
  query,
  onQuery,
  items,
  onRun,
}: Omit<PaletteProps, 'opened' | 'onClose'> & { onRun(item: PaletteItem): void }) {
  const id = useId();
  const [selectedIndex, setSelectedIndex] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const groups = rankItems(items, query);
  const shownItems = groups.flatMap(({ items: each }) => each);
  const current = Math.min(selectedIndex, shownItems.length - 1);
  const optionId = (index: number): string => `${id}-${index}`;
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [current, query]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const item = shownItems[current];
    if (event.key === 'ArrowDown') setSelectedIndex((current + 1) % Math.max(1, shownItems.length));
    else if (event.key === 'ArrowUp')
      setSelectedIndex((current - 1 + shownItems.length) % Math.max(1, shownItems.length));
    else if (event.key === 'Enter' && item !== undefined) onRun(item);
    else return;
    event.preventDefault();
  };
  let index = -1;
  return (
    <>
      <Input
        size="lg"
        className="cs-palette-field"
        variant="unstyled"
        leftSection={<IconSearch size={18} aria-hidden />}
        role="combobox"
        aria-label={t.label}
        aria-expanded={shownItems.length > 0}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={shownItems.length > 0 ? optionId(current) : undefined}
        autoFocus
        data-autofocus
        spellCheck={false}
        autoComplete="off"
        placeholder={placeholder}
        value={query}
        maxLength={200}
        onChange={({ currentTarget: { value } }) => {
          setSelectedIndex(0);
          onQuery(value);
        }}
        onKeyDown={onKeyDown}
      />
      <div className="cs-palette-list" role="listbox" id={id} aria-label={t.results} ref={list}>
        {groups.map(({ title, items: each }) => (
          <div key={title} role="group" aria-label={title}>
            <Text className="cs-palette-group" size="xs" aria-hidden>
              {title}
            </Text>
            {each.map((item) => {
              index += 1;
              const itemIndex = index;
              return (
                <div
                  key={item.id}
                  id={optionId(itemIndex)}
                  role="option"
                  aria-selected={itemIndex === current}
                  className="cs-palette-item"
                  onMouseMove={() => setSelectedIndex(itemIndex)}
                  // Keeps the focus in the field.
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => onRun(item)}
                >
                  <span className="cs-palette-text">
                    <span className="cs-palette-label">{item.label}</span>
                    {item.hint !== undefined && <span className="cs-palette-hint">{item.hint}</span>}
                  </span>
                  {item.keys !== undefined && <Keys keys={item.keys} />}
                </div>
              );
            })}
          </div>
        ))}
      </div>
      {shownItems.length === 0 && (
        <Text role="status" c="dimmed" p="lg" ta="center">
          {t.nothing}
        </Text>
      )}
    </>
  );
}
