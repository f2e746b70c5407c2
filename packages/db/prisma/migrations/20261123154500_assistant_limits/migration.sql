-- CreateTable
CREATE TABLE "assistant_limits" (
    "assistant" TEXT NOT NULL,
    "window" TEXT NOT NULL,
    "used_percent" DOUBLE PRECISION NOT NULL,
    "resets_at" TIMESTAMPTZ(3) NOT NULL,
    "reported_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "assistant_limits_pkey" PRIMARY KEY ("assistant","window")
);
