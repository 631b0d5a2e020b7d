import { useCombobox, type ComboboxStore } from '@mantine/core';
import { useEffect, useState, type KeyboardEvent } from 'react';
import { isNameOfChoice } from './describe-choice.js';
import type { Choices } from './use-choices.js';

export interface ChoiceListState {
  readonly combobox: ComboboxStore;
  /** Attributes of the field: Mantine knows only what is marked with the arrow keys. */
  readonly targetProps: { readonly 'aria-activedescendant'?: string | undefined };
  /** Must be called at the start of the field's key handler. */
  onKeyDown(event: KeyboardEvent): void;
  /** Returns whether a choice is marked, which Enter chooses. */
  isMarked(): boolean;
  /** Opens the list while the user types. It does not stay open over the form if the field is emptied. */
  onType(search: string): void;
}

/**
 * Manages the list of choices below a field. It is open only if there are choices. The first one that can be chosen is
 * marked as soon as all matches are loaded, unless the user has typed a whole name, which may be that of another user.
 *
 * @param search what the user has typed; nothing is marked while it is empty
 */
export function useChoiceList({ choices, hasMore }: Choices, search: string): ChoiceListState {
  const [isWanted, setWanted] = useState(false);
  /** Id of the choice that was marked while the user typed; `null`: none; `undefined`: the user moved with the keys. */
  const [markedId, setMarkedId] = useState<string | null>();
  const isOpen = isWanted && choices.length > 0;
  const combobox = useCombobox({ opened: isOpen, onOpenedChange: setWanted });
  const typed = search.trim();
  const isWhole = choices.some((choice) => isNameOfChoice(choice, typed));
  const marksFirst =
    isOpen && typed !== '' && !isWhole && !hasMore && choices.some(({ obstacle }) => obstacle === undefined);
  const values = choices.map((choice) => choice.value).join('\n');
  useEffect(() => {
    combobox.resetSelectedOption();
    setMarkedId(marksFirst ? combobox.selectFirstOption() : null);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the store is a new object after each render
  }, [marksFirst, typed, values]);
  useEffect(() => {
    // There is nothing left to choose, and the list would cover the form.
    if (isWhole) setWanted(false);
  }, [isWhole, typed, values]);
  const isMarked = (): boolean =>
    isOpen && document.querySelector(`#${combobox.listId} [data-combobox-selected]`) !== null;
  return {
    combobox,
    targetProps: markedId === undefined || !isOpen ? {} : { 'aria-activedescendant': markedId ?? undefined },
    onKeyDown: ({ key }) => {
      if (key === 'ArrowDown' || key === 'ArrowUp') setMarkedId(undefined);
      // A choice that cannot be chosen is never marked, so Enter sends the form.
      if (key === 'Enter' && !isMarked()) combobox.resetSelectedOption();
    },
    isMarked,
    onType: (text) => setWanted(text.trim() !== ''),
  };
}
