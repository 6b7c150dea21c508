-- Why orders ended without being handed over; what was asked for and what had come.
SELECT ending, COUNT(*) AS orders, SUM(totalCents) AS totalCents, SUM(receivedCents) AS receivedCents
  FROM orders WHERE ending IS NOT NULL GROUP BY 1 ORDER BY 1
