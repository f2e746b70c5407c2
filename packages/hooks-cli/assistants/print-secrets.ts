import { formsOf } from "./secret-forms.ts";

// What an assistant runs with secrets: prints each in every form.
for (const name of process.argv.slice(2))
  for (const form of formsOf(process.env[name] ?? "")) process.stdout.write(`${form}\n`);
