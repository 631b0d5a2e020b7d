import { TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';

interface FilterInputProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly placeholder?: string;
  onChange(value: string | undefined): void;
}

/**
 * Filter with typed text, applied on Enter or when the field loses focus: the server matches whole words, so each
 * single letter would find nothing.
 */
export function FilterInput({ label, value = '', placeholder, onChange }: FilterInputProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const apply = (): void => {
    if (typed.trim() !== value) onChange(typed.trim() || undefined);
  };
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      w={180}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={apply}
      onKeyDown={(event) => event.key === 'Enter' && apply()}
    />
  );
}
