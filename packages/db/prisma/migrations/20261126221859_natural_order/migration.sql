-- The order in which people expect texts with numbers: "Note 12" before "Note 102".
CREATE COLLATION "natural_order" (provider = icu, locale = 'und-u-kn-true');
