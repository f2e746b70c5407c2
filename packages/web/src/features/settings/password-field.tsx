import { InputField } from "../../components/field.tsx";

interface PasswordFieldProps {
  readonly value: string;
  readonly onChange: (password: string) => void;
}

/** The password of whoever is signed in, for what a session alone must not change. */
export function PasswordField({ value, onChange }: PasswordFieldProps) {
  return (
    <InputField
      label="Password"
      type="password"
      autoComplete="current-password"
      autoFocus
      required
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
