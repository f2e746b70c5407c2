import { PaymentRequiredError } from "../../platform/errors.ts";

/** The worst-case cost of the call exceeds a cap. No call was made. */
export class BudgetExceededError extends PaymentRequiredError {}

/** A cap is set but the price of the model is unknown, so the cap cannot be enforced. No call was made. */
export class UnpricedModelError extends PaymentRequiredError {}
