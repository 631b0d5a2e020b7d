import { Menu } from '@mantine/core';

interface MenuChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  onChange(value: T): void;
}

/** A radio group among the items of a menu. The arrow keys reach each option. */
export function MenuChoice<T extends string>({ label, value, options, onChange }: MenuChoiceProps<T>) {
  return (
    <div role="group" aria-label={label}>
      <Menu.Label>{label}</Menu.Label>
      <Menu.RadioGroup value={value} onChange={(next) => onChange(next as T)}>
        {options.map((option) => (
          <Menu.RadioItem key={option.value} value={option.value}>
            {option.label}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </div>
  );
}
