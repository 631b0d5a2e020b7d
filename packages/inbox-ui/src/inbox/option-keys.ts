import type { KeyboardEvent } from 'react';

/** Number of options that have a key: the digits 1 to 9. */
const MAX_KEYS = 9;

/** Properties of the radio button of an option. */
interface OptionKeyProps {
  readonly 'data-option-key': string;
  readonly 'aria-keyshortcuts': string;
}

/** Returns the key of an option; `undefined` if it has none. */
export function getOptionKey(index: number): string | undefined {
  return index < MAX_KEYS ? String(index + 1) : undefined;
}

/** Returns the properties by which `chooseOptionByKey` finds the radio button of an option. */
export function getOptionKeyProps(index: number): OptionKeyProps | undefined {
  const key = getOptionKey(index);
  return key === undefined ? undefined : { 'data-option-key': key, 'aria-keyshortcuts': key };
}

/**
 * Chooses the option of a pressed digit, and moves the focus to it. The keys work only while the focus is within the
 * question (WCAG 2.2, 2.1.4); elsewhere, the digits go to sections of the inbox. Digits that belong to no option, and
 * those typed into a field, are left to others.
 */
export function chooseOptionByKey(event: KeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget, ctrlKey, metaKey, altKey } = event;
  if (event.defaultPrevented || ctrlKey || metaKey || altKey || !/^[1-9]$/.test(key)) return;
  if (target instanceof HTMLElement && target.matches('textarea, select, input:not([type="radio"])')) return;
  const option = currentTarget.querySelector<HTMLInputElement>(`input[type="radio"][data-option-key="${key}"]`);
  if (option === null || option.disabled) return;
  event.preventDefault();
  event.stopPropagation();
  option.focus();
  option.click();
}
