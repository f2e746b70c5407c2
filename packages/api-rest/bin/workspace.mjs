#!/usr/bin/env node
import "../../../scripts/workspace.mjs";
